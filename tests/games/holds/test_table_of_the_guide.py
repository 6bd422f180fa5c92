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
        "players.test_claims.test_only_the_first_uploader_or_a_moderator_can_decide_a_claim",
        "players.test_own_names.test_uploader_claiming_a_name_cannot_reject_a_rival_claim",
        "holds.test_vouching.test_two_accounts_that_approve_each_others_names_are_a_circle",
        "players.test_own_names.test_private_upload_does_not_introduce_names",
    ],
    "Claim to a name that the claimant uploaded first": [
        "holds.test_vouching.test_uncontested_claim_of_the_uploader_is_approved_automatically",
        "holds.test_vouching.test_player_at_the_table_can_contest_and_a_moderator_then_decides",
        "players.test_own_names.test_upload_by_another_account_stops_automatic_approval",
        "holds.test_vouching.test_uploader_gets_no_second_name_from_the_same_source_automatically",
    ],
    "Claim by an invitation": [
        "invitations.test_invitations.test_a_link_claims_the_name_and_confirms_all_its_games",
        "invitations.test_invitations.test_a_name_first_uploaded_by_another_account_needs_that_account_to_approve",
        "invitations.test_invitations.test_a_game_confirmed_only_through_the_uploaders_invitation_is_not_rated",
        "invitations.test_invitations.test_an_answer_can_be_undone_for_a_week",
        "invitations.test_invitations.test_an_answer_cannot_be_undone_once_the_game_is_rated",
    ],
    "Claim to a name uploaded without an account": [
        "players.test_own_names.test_name_first_uploaded_anonymously_never_gets_an_introducer",
    ],
    "An account is **known**": [
        "holds.test_vouching.test_organiser_appointed_by_a_moderator_makes_players_known",
        "holds.test_vouching.test_organiser_appointed_by_another_organiser_vouches_only_as_a_player",
        "holds.test_vouching.test_organiser_appointed_again_by_another_organiser_vouches_only_as_a_player",
        "holds.test_independence.test_vouch_of_a_moderator_counts_except_at_their_own_tables",
        "clubs.test_clubs.test_founding_a_club_lets_nobody_vouch_as_an_organiser",
    ],
    "A name of an account that has other names": [
        "holds.test_independence.test_each_name_of_an_account_needs_its_own_vouch",
        "holds.test_independence.test_merged_names_share_their_vouches",
    ],
    "A known player vouches for somebody with whom they sat at a table": [
        "holds.test_vouching.test_known_player_may_vouch_for_a_former_opponent_but_not_a_stranger",
        "holds.test_independence.test_newcomers_are_released_when_each_has_a_separate_voucher",
        "holds.test_independence.test_only_a_limited_number_of_vouches_per_account_and_month_counts",
        "players.test_own_names.test_self_uploaded_table_does_not_allow_vouching",
    ],
    "A game that all players have confirmed, with a name for which nobody vouches": [
        "holds.test_vouching.test_game_waiting_for_vouchers_is_released_when_a_moderator_vouches",
        "holds.test_vouching.test_confirmations_do_not_expire_while_a_game_waits_for_a_voucher",
        "holds.test_independence.test_moderator_release_does_not_cover_a_name_given_to_another_account",
    ],
    "A game at a rated table of this site, with a name for which nobody vouches": [
        "holds.test_table_points.test_nine_wins_over_each_of_ten_accounts_that_nobody_knows_lead_nowhere",
        "holds.test_table_points.test_newcomers_games_count_at_once_and_those_that_wait_as_soon_as_somebody_vouches",
        "holds.test_table_points.test_one_known_player_makes_no_opponents_for_a_second_account",
        "holds.test_table_points.test_losing_to_an_unknown_account_and_beating_a_known_one_count",
    ],
    "The tenth game of the same two accounts in a day": [
        "holds.test_flags.test_tenth_game_of_a_pair_in_a_day_and_later_ones_are_held",
        "holds.test_flags.test_fortieth_game_of_a_pair_in_a_month_is_held",
        "holds.test_thresholds.test_settled_pair_is_held_again_at_the_third_further_game",
    ],
    "In a week, the third game in which one player came before the same rival": [
        "holds.test_flags.test_repeated_early_resignations_to_one_player_are_held",
        "holds.test_thresholds.test_early_resignations_of_several_rivals_to_one_player_add_up",
    ],
    "One account or player in two seats": ["holds.test_flags.test_game_with_one_account_in_two_seats_is_held"],
    "The first game of an account younger than 7 days that is not known": [
        "holds.test_flags.test_game_of_a_new_account_is_held_unless_a_moderator_vouches",
    ],
    "The same play as a game that came before in the same ladder": [
        "holds.test_flags.test_repeated_play_is_held_only_on_ladders_where_the_first_is_rated",
        "holds.test_flags.test_game_without_real_actions_counts_once_for_the_same_persons",
        "holds.test_flags.test_only_organisers_settle_flags_in_their_club",
    ],
    "A game that was left unrated": [
        "holds.test_flags.test_unrated_game_stays_unrated_until_someone_releases_it",
    ],
    "A flag on a game whose players change, or withdraw a confirmation": [
        "holds.test_counted_once.test_withdrawing_a_confirmation_does_not_remove_a_flag",
        "holds.test_counted_once.test_flag_moves_to_the_new_seating_of_its_game",
    ],
    "An annulled game": [
        "holds.test_counted_once.test_game_cannot_be_restored_while_a_turned_copy_is_rated_or_due",
        "holds.test_counted_once.test_two_games_rated_together_can_both_be_restored",
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
