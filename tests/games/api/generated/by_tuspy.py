"""Upload a file in small pieces with tuspy. It runs without this project."""

import os

from tusclient.client import TusClient

client = TusClient(f"{os.environ['ATTA_SERVER']}/api/v1/files", {"Authorization": f"Bearer {os.environ['ATTA_TOKEN']}"})
uploader = client.uploader("evening.agn", chunk_size=200, metadata={"filename": "evening.agn"})
uploader.upload()
print("all bytes sent" if uploader.offset == uploader.get_file_size() else "some bytes are missing")
