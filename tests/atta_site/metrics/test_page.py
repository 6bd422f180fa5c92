"""`/metrics` for Prometheus, its alert rules and its dashboard."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from atta_site.celery import app
from games.models import CommentReport, Film, Game, GameComment, Upload
from tests.factories import record
from tests.games.judging import judge_all
from tests.games.uploading import upload_file

ROOT = Path(__file__).parents[3]
TOKEN = "a token of at least twenty characters"
NAME = re.compile(r"\batta_[a-z_]+")

Browse = Callable[..., Client]


@pytest.fixture
def scrape(settings: Any, browse: Browse) -> Callable[[], dict[str, float]]:
    settings.METRICS_TOKEN = TOKEN

    def read() -> dict[str, float]:
        answer = browse().get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
        assert answer.status_code == 200
        return dict(samples(answer.content.decode()))

    return read


def samples(text: str) -> Iterator[tuple[str, float]]:
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            labels = ",".join(f"{key}={value}" for key, value in sorted(sample.labels.items()))
            yield f"{sample.name}{{{labels}}}" if labels else sample.name, sample.value


def test_without_a_token_in_the_settings_there_are_no_metrics(browse: Browse) -> None:
    answer = browse().get("/metrics")
    assert answer.status_code == 404
    assert b"<h1>" in answer.content


@pytest.mark.parametrize("sent", ["", f"Bearer {TOKEN}x", TOKEN])
def test_metrics_are_only_for_who_sends_the_token(browse: Browse, settings: Any, sent: str) -> None:
    settings.METRICS_TOKEN = TOKEN
    answer = browse().get("/metrics", headers={"Authorization": sent})
    assert (answer.status_code, answer["WWW-Authenticate"]) == (401, "Bearer")


def test_metrics_tell_of_the_queue_the_database_the_broker_and_the_disk(
    db: None, scrape: Callable[[], dict[str, float]], settings: Any
) -> None:
    upload_file(record("NS@0,2 *"), via=Upload.Via.API, now=timezone.now())
    with app.connection_for_write() as broker:
        broker.SimpleQueue("bots").clear()  # other tests call bots, too
    found = scrape()
    assert found["atta_logs{state=waiting}"] == 1
    assert found["atta_oldest_waiting_seconds"] > 0
    assert (found["atta_database_up"], found["atta_broker_up"]) == (1, 1)
    assert found["atta_broker_messages{queue=bots}"] == 0
    queues = {settings.CELERY_TASK_DEFAULT_QUEUE} | {to["queue"] for to in settings.CELERY_TASK_ROUTES.values()}
    assert {name for name in found if name.startswith("atta_broker_messages")} == {
        f"atta_broker_messages{{queue={queue}}}" for queue in queues
    }
    assert found["atta_database_bytes"] > 1_000_000


def test_metrics_tell_of_films_that_nobody_makes_and_reports_that_nobody_reads(
    db: None, scrape: Callable[[], dict[str, float]]
) -> None:
    now = timezone.now()
    upload_file(record(), via=Upload.Via.API, now=now)
    judge_all(now)
    game, reader = Game.objects.get(), User.objects.create(username="reader")
    plain = {"size": 400, "theme": "light", "pace": 500, "drawn_by": "1", "asked_at": now - timedelta(minutes=20)}
    Film.objects.create(game=game, form=Film.Form.GIF, first=0, last=1, **plain)
    comment = GameComment.objects.create(game=game, author=reader, text="Rude", written_at=now)
    CommentReport.objects.create(comment=comment, by=reader, reason="Rude", raised_at=now)
    found = scrape()
    assert found["atta_films{state=waiting}"] == 1
    assert found["atta_oldest_film_seconds"] >= 1200
    assert (found["atta_reports_open{kind=comments}"], found["atta_reports_open{kind=studies}"]) == (1, 0)


def test_requests_are_counted_by_route_and_not_by_address(
    db: None, scrape: Callable[[], dict[str, float]], browse: Browse
) -> None:
    name = "atta_requests_total{method=GET,route=/games/<slug:key>/,status=404}"
    before = scrape().get(name, 0)
    browse().get("/games/22222222/")
    browse().get("/games/33333333/")
    assert scrape()[name] == before + 2


def test_metrics_still_answer_when_the_database_is_away(
    transactional_db: None, scrape: Callable[[], dict[str, float]], monkeypatch: pytest.MonkeyPatch
) -> None:
    connection.close()
    with monkeypatch.context() as patch:
        patch.setitem(connection.settings_dict, "PORT", 1)
        patch.setitem(connection.settings_dict, "OPTIONS", {})
        found = scrape()
    assert (found["atta_database_up"], found["atta_broker_up"]) == (0, 1)
    assert "atta_oldest_waiting_seconds" not in found


@pytest.mark.full
def test_processes_add_up_what_they_count_and_only_living_ones_hold_streams(tmp_path: Path) -> None:
    count = "from games.platform import counted as c; c.REFUSED.labels('429').inc(2); c.STREAMS.inc(3)"
    for program in (count, count):
        run(program, tmp_path)
    shown = run(
        f"{count}; from prometheus_client import generate_latest; print(generate_latest(c.registry()).decode())",
        tmp_path,
    )
    found = dict(samples(shown))
    assert (found["atta_refused_total{status=429}"], found["atta_streams"]) == (6, 3)


def run(program: str, folder: Path) -> str:
    environment = os.environ | {"PROMETHEUS_MULTIPROC_DIR": str(folder)}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout


def test_every_metric_in_the_alert_rules_the_dashboard_and_the_guide_exists(
    db: None, settings: Any, browse: Browse
) -> None:
    settings.METRICS_TOKEN = TOKEN
    text = browse().get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}).content.decode()
    families = list(text_string_to_metric_families(text))
    known = {family.name + end for family in families for end in ("", "_total", "_bucket", "_sum", "_count")}
    named = {path: set(NAME.findall((ROOT / path).read_text())) for path in shown_in()}
    named = {path: {name for name in names if name != "atta_site"} for path, names in named.items()}
    assert {path: names - known for path, names in named.items() if names - known} == {}
    assert all(named.values())
    assert {family.name for family in families if family.name.startswith("atta_")} - {
        name.removesuffix("_total") for name in named["docs/guide/operators.md"]
    } == set()


def shown_in() -> list[str]:
    return ["deploy/prometheus/alerts.yml", "deploy/grafana/atta.json", "docs/guide/operators.md"]


def test_every_alert_has_a_section_in_the_guide_that_its_link_finds() -> None:
    rules = (ROOT / "deploy/prometheus/alerts.yml").read_text()
    alerts = re.findall(r"- alert: (\w+)", rules)
    guide = (ROOT / "docs/guide/operators.md").read_text()
    assert len(alerts) > 10
    assert [name for name in alerts if f"| `{name}` |" not in guide] == []


def test_the_dashboard_is_readable_and_its_panels_have_a_title_and_a_question() -> None:
    panels = json.loads((ROOT / "deploy/grafana/atta.json").read_text())["panels"]
    assert [panel for panel in panels if not (panel["title"] and panel["targets"])] == []
    assert len({panel["id"] for panel in panels}) == len(panels)
