/** Upload in pieces, follow and report with types that openapi-typescript has made, openapi-fetch and tus-js-client. */

import { readFileSync } from "node:fs";

import createClient from "openapi-fetch";
import * as tus from "tus-js-client";

import type { paths } from "./api.js";

const server = process.env.ATTA_SERVER ?? "";
const headers = { Authorization: `Bearer ${process.env.ATTA_TOKEN}` };
const api = createClient<paths>({ baseUrl: server, headers });

function sent(): Promise<string> {
  return new Promise((done, failed) => {
    const upload = new tus.Upload(readFileSync("evening.agn"), {
      endpoint: `${server}/api/v1/files`,
      headers,
      metadata: { filename: "evening.agn" },
      onError: failed,
      onSuccess: () => done(upload.url?.split("/").at(-1) ?? ""),
    });
    upload.start();
  });
}

const path = { id: await sent() };
let upload = (await api.GET("/api/v1/uploads/{id}", { params: { path } })).data!;
while (upload.state !== "done" || upload.progress.waiting) {
  await new Promise((done) => setTimeout(done, 300));
  upload = (await api.GET("/api/v1/uploads/{id}", { params: { path } })).data!;
}
const query = { form: "json", verdict: "rejected" } as const;
const report = (await api.GET("/api/v1/uploads/{id}/report", { params: { path, query } })).data;
const mine = (await api.GET("/api/v1/account/uploads", {})).data!.uploads;
if (!report || typeof report === "string") {
  throw new Error("no report");
}
const counts = `${upload.progress.verified} verified ${upload.progress.rejected} rejected`;
console.log(upload.state, counts, report.records[0]?.code, mine.length, "upload");
