from typing import Any

from django.db import migrations


def make_clubs(apps: Any, schema_editor: Any) -> None:
    # Moderators founded the leagues there are: they are listed, and their organisers own them.
    League, Club, ClubMember = (
        apps.get_model('games', name).objects.using(schema_editor.connection.alias)
        for name in ('League', 'Club', 'ClubMember')
    )
    for league in League.order_by('pk'):
        club = Club.create(league=league, listed_at=league.created_at)
        for account in league.organisers.order_by('pk'):
            ClubMember.create(
                club=club, account_id=account.pk, name=account.username[:64], role='owner', joined_at=league.created_at
            )


class Migration(migrations.Migration):

    dependencies = [('games', '0045_clubs')]

    operations = [migrations.RunPython(make_clubs, migrations.RunPython.noop)]
