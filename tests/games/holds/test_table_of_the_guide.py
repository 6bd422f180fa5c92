"""The table "Who vouches for what, and when a game counts" of the guide: which tests show each of its lines.

A line without tests fails, and so does a test that is gone.
"""

from importlib import import_module
from pathlib import Path

import pytest

GUIDE = Path(__file__).parents[3] / "docs" / "guide" / "when-a-game-counts.md"
HEAD = "| Matter | Who decides | How it ends, and what follows |"
SHOWN = {
    "Claim to a name that somebody else uploaded first": [
        "players.test_claims.test_only_who_introduced_the_name_or_a_moderator_decides",
        "players.test_own_names.test_an_uploader_who_claims_a_name_refuses_nobody_elses_claim",
        "holds.test_vouching.test_two_accounts_that_approve_each_others_names_are_a_circle",
        "players.test_own_names.test_a_private_upload_introduces_nobody",
    ],
    "Claim to a name that the claimant uploaded first": [
        "holds.test_vouching.test_the_name_of_an_uploader_is_approved_when_nobody_contests_it",
        "holds.test_vouching.test_who_sat_at_the_table_can_contest_and_then_a_moderator_decides",
        "players.test_own_names.test_nor_when_somebody_uploads_it_within_the_fourteen_days",
        "holds.test_vouching.test_nor_does_she_get_a_second_name_from_the_same_source",
    ],
    "Claim by an invitation": [
        "invitations.test_invitations.test_a_link_claims_the_name_and_confirms_all_its_games",
        "invitations.test_invitations.test_a_name_that_another_account_uploaded_first_waits_for_that_account",
        "invitations.test_invitations.test_an_uploader_who_invites_a_second_account_reaches_no_rank",
        "invitations.test_invitations.test_an_answer_can_be_undone_for_a_week",
        "invitations.test_invitations.test_an_answer_by_which_a_game_is_rated_cannot_be_undone",
    ],
    "Claim to a name uploaded without an account": [
        "players.test_own_names.test_a_name_that_was_public_without_an_account_is_introduced_by_nobody_later",
    ],
    "An account is **known**": [
        "holds.test_vouching.test_organisers_whom_a_moderator_named_make_players_known",
        "holds.test_vouching.test_organisers_whom_another_organiser_named_do_not",
        "holds.test_independence.test_a_moderator_s_word_counts_at_all_tables_but_those_of_that_moderator",
        "clubs.test_clubs.test_founding_a_club_lets_nobody_vouch_as_an_organiser",
    ],
    "A name of an account that has other names": [
        "holds.test_independence.test_each_name_of_an_account_waits_for_a_word_of_its_own",
        "holds.test_independence.test_names_that_were_merged_share_their_words",
    ],
    "A known player vouches for somebody with whom they sat at a table": [
        "holds.test_vouching.test_a_known_player_who_sat_with_somebody_may_vouch_and_no_stranger",
        "holds.test_independence.test_newcomers_pass_when_each_has_a_voucher_to_itself",
        "holds.test_independence.test_of_one_account_s_words_so_many_count_a_month",
        "players.test_own_names.test_a_table_that_an_account_uploaded_itself_lets_it_vouch_for_nobody",
    ],
    "A game that all players have confirmed, with a name for which nobody vouches": [
        "holds.test_vouching.test_what_waits_for_a_voucher_goes_on_once_a_moderator_vouches",
        "holds.test_vouching.test_no_word_lapses_while_a_game_waits_for_a_voucher",
        "holds.test_independence.test_but_not_with_a_name_that_is_another_account_s_since",
    ],
    "The tenth game of the same two accounts in a day": [
        "holds.test_flags.test_the_tenth_game_of_two_in_a_day_waits_and_so_do_those_after_it",
        "holds.test_flags.test_the_fortieth_game_of_two_within_a_month_waits",
        "holds.test_thresholds.test_after_a_pair_was_looked_at_the_third_game_waits_again",
    ],
    "In a week, the third game in which one player came before the same rival": [
        "holds.test_flags.test_early_resignations_to_one_player_wait",
        "holds.test_thresholds.test_gifts_of_several_rivals_to_one_player_wait_together",
    ],
    "One account or player in two seats": ["holds.test_flags.test_one_account_in_two_seats_waits"],
    "The first game of an account younger than 7 days that is not known": [
        "holds.test_flags.test_a_brand_new_account_waits_unless_a_moderator_vouches",
    ],
    "The same play as a game that came before in the same ladder": [
        "holds.test_flags.test_the_same_play_again_waits_in_every_ladder_where_it_came_before",
        "holds.test_flags.test_in_a_league_its_organisers_say_and_nobody_else",
    ],
    "A game that was left unrated": [
        "holds.test_flags.test_a_game_left_unrated_stays_so_until_somebody_lets_it_count",
    ],
    "A flag on a game whose players change, or withdraw a confirmation": [
        "holds.test_counted_once.test_what_holds_a_game_is_not_shed_by_taking_a_confirmation_back",
        "holds.test_counted_once.test_what_holds_a_game_goes_with_it_to_another_seating",
    ],
    "An annulled game": [
        "holds.test_counted_once.test_no_game_is_restored_while_a_turned_copy_counts_or_is_about_to",
        "holds.test_counted_once.test_a_return_match_is_restored_beside_the_game_with_which_it_counted",
    ],
}
"""The beginning of each line, in the guide's order, with its tests."""


def matters() -> list[str]:
    _, _, table = GUIDE.read_text().partition(HEAD)
    return [line.split("|")[1].strip() for line in table.splitlines() if line.startswith("| ") and "---" not in line]


def test_every_line_of_the_table_has_its_tests_and_every_entry_its_line() -> None:
    assert len(matters()) == len(SHOWN)
    wrong = [(line, start) for line, start in zip(matters(), SHOWN, strict=True) if not line.startswith(start)]
    assert wrong == []


@pytest.mark.parametrize("start", SHOWN)
def test_the_tests_of_a_line_exist(start: str) -> None:
    for shown in SHOWN[start]:
        module, _, name = shown.rpartition(".")
        assert callable(getattr(import_module(f"tests.games.{module}"), name, None)), shown
