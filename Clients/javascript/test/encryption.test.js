// The example of docs/sources.md.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { encryptURL, frameURL } from "../headroom.js";

const KEY = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
const URL_OF_SOURCE = "https://example.com/team.jpg";
const TEXT = "enc:ATzxoeVsQLhBLHWfsofm-2Zy1cfN5j7Ycp2n9QQuXOo3r_Qsqb2vnhL8mKSsWb328qTS_DQ8djY";
const PAGE = readFileSync(new URL("../../../docs/sources.md", import.meta.url), "utf8");

test("the example of the page", async () => {
  assert.equal(await encryptURL(URL_OF_SOURCE, KEY), TEXT);
  assert.ok(PAGE.includes(KEY) && PAGE.includes(TEXT));
});

test("an encrypted URL is a source", () => {
  const url = frameURL("https://img.example.com", { url: TEXT });
  assert.equal(new URL(url).searchParams.get("url"), TEXT);
});

test("a wrong key or URL is refused", async () => {
  for (const key of ["", "00", KEY.slice(1), `${KEY}0`, "g".repeat(64)]) {
    await assert.rejects(encryptURL(URL_OF_SOURCE, key), /expected 64 hexadecimal digits/);
  }
  await assert.rejects(encryptURL("ftp://example.com/a.jpg", KEY), /is not valid/);
});
