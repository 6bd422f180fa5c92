"""The interactive board: every game by mouse, keyboard alone and touch, and what each input shows."""

import re
from collections.abc import Callable
from itertools import product

import pytest
from playwright.sync_api import Page, expect

from engine.ant_trails.ruleset import ANT_TRAILS
from engine.atta_ants.ruleset import ATTA_ANTS
from engine.registry import RULESETS
from tests.browser.acting import Game, Hand, Keys, Mouse, Thumb, named, play, put_on, shortest, spot
from tests.browser.conftest import SCREENS
from tests.browser.soundness import unsound
from tests.strategies import AnyRuleset, recorded
from tests.tiers import by_tier, share

WITH_HANDS = list(product(RULESETS, (Mouse(), Keys())))
"""In the full tier each hand plays some games, and each game is played by some hand."""
ANTS = ATTA_ANTS[0]
LAST = by_tier(quick=8, long=500)
"""How many of a game's last actions are replayed."""


def close_to_the_end(ruleset: AnyRuleset) -> Game:
    """Return a game whose last actions remain to be played."""
    replay = shortest(ruleset)
    return Game(replay, max(0, len(replay.actions) - LAST))


@pytest.mark.parametrize(("ruleset", "hand"), share(WITH_HANDS, 0, of=3), ids=named)
def test_a_game_is_played_to_its_end(page: Page, ruleset: AnyRuleset, hand: Hand) -> None:
    game = close_to_the_end(ruleset)
    put_on(page, game)
    play(page, game, hand)
    assert game.acted == list(game.replay.actions[-LAST:])


@pytest.mark.parametrize("ruleset", by_tier(quick=RULESETS[2:3], long=RULESETS), ids=named)
def test_a_game_is_played_with_a_thumb(phone: Page, ruleset: AnyRuleset) -> None:
    game = close_to_the_end(ruleset)
    put_on(phone, game)
    play(phone, game, Thumb())
    assert game.acted == list(game.replay.actions[-LAST:])


# What a click shows


def where(token: str, *, last: bool = False) -> Game:
    """Return a game of Atta Ants just before an action that begins with this token."""
    for replay in recorded(ANTS):
        plies = [ply for ply, action in enumerate(replay.actions) if action.startswith(token)]
        if plies:
            return Game(replay, plies[-1 if last else 0])
    raise LookupError(token)


@pytest.fixture
def ant(page: Page) -> Page:
    """A board with the selected ant R1, which may walk."""
    put_on(page, where("R1:"))
    page.mouse.click(*spot(page, "R1"))
    return page


def live(page: Page) -> str:
    return page.locator("[data-live]").text_content() or ""


def spelled(page: Page) -> str:
    return page.locator("[data-spelled]").text_content() or ""


@pytest.mark.full
def test_a_picked_ant_shows_where_it_can_walk_and_stays_picked_if_another_piece_cannot_be(ant: Page) -> None:
    expect(ant.locator(".mark.picked")).to_have_attribute("data-target", "R1")
    assert ant.locator(".mark.reach .dot").count() >= 2
    assert spelled(ant) == "R1:"
    assert live(ant).startswith("Ant R1. Legal actions: ")
    spider = ant.evaluate("[...board.scene.pieces.keys()].find((id) => /^[A-QT-Z][0-9]$/.test(id))")
    ant.evaluate("(target) => board.touch(target)", spider)
    expect(ant.locator(".mark.refused")).to_have_attribute("data-target", spider)
    expect(ant.locator("[data-reason]")).not_to_be_empty()
    assert spelled(ant) == "R1:"


@pytest.mark.full
def test_selected_target_shows_path_ghost_and_caption_until_escape(ant: Page) -> None:
    asked: list[str] = []
    ant.on("request", lambda request: asked.append(request.url))
    target = ant.evaluate("[...board.spelling.reach().values()].find((node) => node.a && node.p === 'N').t")
    ant.mouse.click(*spot(ant, target))
    expect(ant.locator(".marks.ways .head")).to_have_count(1)
    expect(ant.locator(".marks .ghost")).to_have_count(1)
    expect(ant.locator("[data-sentence]")).to_contain_text("R1 walks")
    expect(ant.locator("[data-path] li")).to_have_text(["Ant R1R1:", "walks northN"])
    assert live(ant).endswith("Press Enter to confirm, Escape to step back.")
    ant.keyboard.press("Escape")
    expect(ant.locator("[data-path] li")).to_have_text(["Ant R1R1:"])
    assert spelled(ant) == "R1:"
    ant.keyboard.press("Escape")
    assert spelled(ant) == ""
    expect(ant.locator(".mark.picked")).to_have_count(0)
    assert asked == [], "to select a piece sends no request"


@pytest.mark.full
def test_second_click_on_the_selected_cell_confirms(page: Page) -> None:
    game = put_at(page, where("R1:"))
    page.mouse.click(*spot(page, "R1"))
    target = page.evaluate("[...board.spelling.reach().values()].find((node) => node.a).t")
    token = page.evaluate("(target) => board.spelling.reach().get(target).a", target)
    page.mouse.click(*spot(page, target))
    page.mouse.click(*spot(page, target))
    expect(page.locator("[data-board]")).not_to_have_attribute("aria-busy", "true")
    assert game.acted == [token]


def put_at(page: Page, game: Game) -> Game:
    put_on(page, game)
    return game


@pytest.mark.full
def test_dragging_selects_the_target_like_two_clicks(page: Page) -> None:
    put_on(page, where("R1:"))
    start = spot(page, "R1")
    page.mouse.click(*start)
    target = page.evaluate("[...board.spelling.reach().values()].find((node) => node.a).t")
    end = spot(page, target)
    page.keyboard.press("Escape")
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=4)
    page.mouse.up()
    expect(page.locator(".mark.chosen")).to_have_attribute("data-target", target)


def test_rejection_by_the_server_is_shown(page: Page) -> None:
    game = put_at(page, where("R1:"))
    other = page.evaluate("(played) => board.spelling.ends.find(({ token }) => token !== played).token", game.next)
    page.get_by_role("combobox").fill(other)
    page.get_by_role("button", name="Confirm", exact=True).click()
    expect(page.locator("[data-reason]")).to_have_text(f"{other} was not played. AGN-MOVE-1")
    assert spelled(page) == other


@pytest.mark.full
def test_an_ant_that_must_leave_the_nest_is_marked(page: Page) -> None:
    replay = next(replay for replay in recorded(ANTS) if len(replay.actions) > 10)
    game = Game(replay, 1)
    put_on(page, game)
    musts = page.evaluate("board.position.must.map(({ target }) => target)")
    marked = page.locator(".mark.must").evaluate_all("(all) => all.map((one) => one.dataset.target)")
    assert marked == musts
    expect(page.locator("[data-reason]")).to_have_text(page.evaluate("board.position.must[0].why"))


# The card in hand


@pytest.fixture
def card(page: Page) -> Page:
    """A board with a card in hand at a place where two rotations fit."""
    put_on(page, game_with_a_rotatable_card())
    page.mouse.click(*spot(page, page.evaluate(TURNABLE)))
    return page


TURNABLE = "[...board.spelling.reach().values()].find((node) => board.spelling.turnsOf(node).length > 1).t"


def game_with_a_rotatable_card() -> Game:
    return next(
        Game(replay, ply)
        for replay in recorded(ANTS)
        for ply, token in enumerate(replay.actions)
        if token.split("@")[0] in {"NE", "NE*", "NW", "NW*", "SW", "SW*", "ES", "ES*"} and not token.endswith("@-")
    )


@pytest.mark.full
def test_card_in_hand_is_shown_until_its_place_is_chosen_with_a_dot_per_rotation_that_fits(card: Page) -> None:
    expect(card.locator("[data-in-hand]")).to_be_hidden()
    card.keyboard.press("Escape")
    expect(card.get_by_role("img", name="The card to lay").locator("use")).to_be_attached()
    expect(card.locator("[data-sentence]")).to_have_text("Lay this card: choose a dashed place.")
    counts = card.evaluate(
        "[...board.spelling.reach().values()].map((n) => [n.t, Math.max(1, board.spelling.turnsOf(n).length)])"
    )
    for target, count in counts:
        assert card.locator(f".mark.lay[data-target='{target}'] .dot").count() == count


@pytest.mark.full
def test_r_turns_the_card_and_rotations_that_do_not_fit_are_struck_through(card: Page) -> None:
    choices = card.locator("[data-rotations] button")
    assert choices.count() > 2
    expect(card.locator("[data-rotations] [aria-pressed='true']")).to_contain_text("chosen")
    expect(card.locator("[data-rotations] .does-not-fit").first).to_contain_text("does not fit")
    assert not [words for words in choices.all_inner_texts() if "at " in words]
    assert card.locator(".marks .tick").count() >= 1, "on the edges that meet"
    first = spelled(card)
    card.keyboard.press("r")
    second = spelled(card)
    assert second != first
    assert second.split("@")[1] == first.split("@")[1]
    card.keyboard.press("Shift+R")
    assert spelled(card) == first


def test_board_asks_which_card_was_drawn_and_disables_used_up_cards(page: Page) -> None:
    game = game_with_a_rotatable_card()
    game.drawn = False
    put_on(page, game)
    expect(page.get_by_role("heading", name="Which card was drawn?")).to_be_visible()
    expect(page.locator(".mark")).to_have_count(0)
    assert page.locator(".card-choice:disabled").count() > 0
    page.locator(".card-choice:enabled").first.click()
    assert page.locator(".mark.lay").count() > 0


# A small screen


@pytest.mark.full
def test_a_board_with_small_cells_can_be_enlarged_and_moved(phone: Page) -> None:
    game = close_to_the_end(ANT_TRAILS)
    put_on(phone, game)
    size = "board.marks.over.querySelector('.mark').getBoundingClientRect().width"
    small = phone.evaluate(size)
    phone.get_by_role("button", name="Enlarge").tap()
    phone.wait_for_function(f"(small) => {size} > 1.9 * small", arg=small)
    before = phone.locator("svg.board").get_attribute("viewBox")
    phone.mouse.move(200, 300)
    phone.mouse.down()
    phone.mouse.move(120, 240, steps=4)
    phone.mouse.up()
    assert phone.locator("svg.board").get_attribute("viewBox") != before
    assert spelled(phone) == ""


@pytest.mark.full
def test_two_fingers_enlarge_the_board_and_touch_nothing(phone: Page) -> None:
    put_on(phone, where("R1:"))
    fingers = phone.context.new_cdp_session(phone)
    box = phone.locator("svg.board").bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    width = "Number(document.querySelector('svg.board').getAttribute('viewBox').split(' ')[2])"
    whole = phone.evaluate(width)
    for kind, apart in (("touchStart", 40), ("touchMove", 60), ("touchMove", 90)):
        points = [{"x": x - apart, "y": y, "id": 0}, {"x": x + apart, "y": y, "id": 1}]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert phone.evaluate(width) < 0.7 * whole
    assert spelled(phone) == ""
    expect(phone.locator("[data-zoom]")).to_have_attribute("aria-pressed", "true")


@pytest.mark.full
def test_ants_too_close_for_a_thumb_are_spread_as_a_fan_that_a_touch_beside_it_closes(phone: Page) -> None:
    put_on(phone, where("R1:"))
    discs = phone.locator("[data-fanned]")
    tap_the_nest(phone)
    phone.touchscreen.tap(20, 300)
    expect(discs).to_have_count(0)
    assert spelled(phone) == ""
    tap_the_nest(phone)
    expect(discs).to_have_count(2)
    boxes = discs.evaluate_all("(all) => all.map((one) => [one.dataset.fanned, one.getBoundingClientRect().width])")
    assert sorted(target for target, _ in boxes) == ["R1", "R2"]
    assert all(width >= 44 for _, width in boxes)
    phone.locator("[data-fanned=R2]").tap()
    assert spelled(phone) == "R2:"
    expect(discs).to_have_count(0)


def tap_the_nest(page: Page) -> None:
    """Tap on the two ants in the nest, of which either may walk."""
    page.touchscreen.tap(*spot(page, "R2"))
    assert live(page) == "Which one?"


# Typing, and what a screen reader announces


def test_typing_filters_the_list_by_words_or_token_and_enter_confirms_the_action(page: Page) -> None:
    game = put_at(page, where("R1:"))
    expect(page.locator("[data-zoom]")).to_be_hidden()
    page.keyboard.type("R1:")
    options = page.get_by_role("option")
    assert all("R1" in text for text in options.all_text_contents())
    page.get_by_role("combobox").fill("walks")
    assert options.count() > 0
    page.get_by_role("combobox").fill("flies")
    expect(options).to_have_count(0)
    assert live(page) == "No legal action matches."
    page.get_by_role("combobox").fill(game.next)
    expect(page.locator("[data-spelled]")).to_have_text(game.next)
    token = game.next
    page.keyboard.press("Enter")
    page.wait_for_function("!board.busy")
    assert game.acted == [token]


@pytest.mark.full
def test_single_letter_shortcuts_can_be_turned_off_permanently(card: Page) -> None:
    first = spelled(card)
    card.get_by_text("Options").click()
    card.get_by_label("Single-letter keys").uncheck()
    card.locator("svg.board .target").first.focus()
    card.keyboard.press("r")
    assert spelled(card) == first
    assert card.evaluate("localStorage.getItem('atta:letters')") == "no"


def with_only_the_turn_to_end() -> Game:
    return next(
        Game(replay, ply)
        for replay in recorded(ANTS)
        for ply, state in enumerate(replay.states)
        if list(map(ANTS.format_action, ANTS.legal_actions(state))) == ["/"]
    )


@pytest.mark.full
def test_action_is_played_at_once_when_confirmation_is_off(page: Page) -> None:
    game = put_at(page, with_only_the_turn_to_end())
    expect(page.locator("[data-sentence]")).to_have_text("There is nothing left to do on the board.")
    page.get_by_text("Options").click()
    page.get_by_label("Confirm every action").uncheck()
    page.get_by_role("button", name="End turn").click()
    page.wait_for_function("!board.busy")
    assert game.acted == ["/"]


@pytest.mark.full
def test_touch_that_continues_an_action_never_does_it_and_begins_another(page: Page) -> None:
    robbery = next(
        Game(replay, ply)
        for replay in recorded(ANTS)
        for ply, token in enumerate(replay.actions)
        if re.match(r"(.)\d:[NESW]x\1\d[NESW]$", token)
    )
    token = robbery.next
    put_on(page, robbery)
    page.evaluate("Object.assign(board.root.dataset, { goesOn: '', confirm: 'no' })")
    route = "(token) => board.spelling.ends.find((end) => end.token === token).route.map(({ t }) => t)"
    for target in page.evaluate(route, token):
        page.evaluate("(target) => board.touch(target)", target)
    page.wait_for_function("!board.busy")
    assert robbery.acted == [token]


@SCREENS
def test_axe_finds_nothing(open_page: Callable[..., Page], width: int, *, dark: bool) -> None:
    page = put_on(open_page(width=width, dark=dark), where("R1:"))
    page.evaluate("board.touch('R1')")
    assert unsound(page) == []
