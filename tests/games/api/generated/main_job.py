"""Upload, follow and report with a client that openapi-python-client has made. It runs without this project."""

import os
import time
from pathlib import Path

from atta_api import AuthenticatedClient
from atta_api.api.account import get_account_uploads
from atta_api.api.uploads import get_upload, get_upload_report, post_uploads
from atta_api.models import GetUploadReportForm as Form
from atta_api.models import GetUploadReportVerdict as Verdict
from atta_api.models import PostUploadsFilesBody
from atta_api.types import File

client = AuthenticatedClient(os.environ["ATTA_SERVER"], os.environ["ATTA_TOKEN"])
with Path("evening.agn").open("rb") as file:
    body = PostUploadsFilesBody(file=File(payload=file, file_name="evening.agn"))
    accepted = post_uploads.sync(client=client, body=body)
upload = get_upload.sync(accepted.id, client=client)
while upload.state != "done" or upload.progress.waiting:
    time.sleep(0.3)
    upload = get_upload.sync(accepted.id, client=client)
report = get_upload_report.sync(accepted.id, client=client, form=Form.JSON, verdict=Verdict.REJECTED)
mine = get_account_uploads.sync(client=client).uploads
counts = f"{upload.progress.verified} verified {upload.progress.rejected} rejected"
print(upload.state, counts, report.records[0].code, len(mine), "upload")
