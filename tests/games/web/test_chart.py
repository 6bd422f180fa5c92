"""The rating chart."""

import re

import pytest

from games.web.ladders.chart import Estimate, chart, rank_course


def of(*strengths: int, sigma: int = 0) -> str:
    return chart([Estimate(mu, sigma) for mu in strengths], "Ada")


def points(svg: str) -> list[tuple[float, float]]:
    found = re.search(r'chart-line" points="([^"]+)"', svg)
    assert found
    return [(float(x), float(y)) for x, y in (pair.split(",") for pair in found[1].split())]


def test_higher_ratings_are_drawn_higher_and_later_games_further_right() -> None:
    (x1, y1), (x2, y2), (x3, y3) = points(of(0, 200, 100))
    assert x1 < x2 < x3
    assert y2 < y3 < y1


@pytest.mark.parametrize(
    ("least", "most", "marks"),
    [(0, 0, ["0", "10"]), (0, 165, ["0", "50", "100", "150", "200"]), (1200, 1999, ["1200", "1400", "1600"]),
     (0, 2400, ["0", "1000", "2000", "3000"])],
)  # fmt: skip
def test_grid_lines_are_at_round_numbers(least: int, most: int, marks: list[str]) -> None:
    assert re.findall(r'text-anchor="end">(\d+)</text>', of(least, most))[: len(marks)] == marks


def test_the_line_lies_within_the_band_of_its_uncertainty() -> None:
    svg = of(1200, 1300, sigma=100)
    band = re.search(r'class="chart-band" points="([^"]+)"', svg)
    assert band
    (_, above), _, _, (_, below) = [tuple(map(float, pair.split(","))) for pair in band[1].split()]
    (_, line), _ = [
        tuple(map(float, pair.split(","))) for pair in re.findall(r'chart-line" points="([^"]+)"', svg)[0].split()
    ]
    assert above < line < below
    assert line - above == pytest.approx(below - line, abs=0.1)


def test_name_in_the_chart_title_is_escaped() -> None:
    assert "<title>&lt;b&gt;Ada</title>" in chart([Estimate(1, 1), Estimate(2, 1)], "<b>Ada")


def test_long_chart_marks_only_the_last_game_with_a_dot() -> None:
    assert of(*range(61)).count("<circle") == 1


def test_first_rank_is_at_the_top_and_lines_are_at_round_ranks() -> None:
    svg = rank_course([1, 12, 4], [0, 0.5, 1], "Ada", ends=("May", "July"))
    (_, y1), (_, y2), (_, y3) = points(svg)
    assert y1 < y3 < y2
    assert re.findall(r'text-anchor="end">(\d+)</text>', svg)[:4] == ["1", "5", "10", "15"]
