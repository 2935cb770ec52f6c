// Tests the module with a real service, which `make check-clients` starts.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import test from "node:test";

import { PARAMETERS, faceURL, facesURL, frameURL, nextLoader, sign, transform } from "../headroom.js";

const { HEADROOM_URL, HEADROOM_SIGNED_URL, HEADROOM_SIGNING_KEY, HEADROOM_ORIGIN } = process.env;
const skip = HEADROOM_URL ? false : "HEADROOM_URL is not set";
const skipSigned = HEADROOM_SIGNED_URL ? false : "HEADROOM_SIGNED_URL is not set";
const url = `${HEADROOM_ORIGIN}/scene.jpg`;
const image = readFileSync(new URL("../../../docs/images/scene.jpg", import.meta.url));
const post = (target, body) => fetch(target, { method: "POST", body });

test("crops, faces and one face", { skip }, async () => {
  const crop = await fetch(frameURL(HEADROOM_URL, { url, aspect: "1:1", width: 200, format: "png" }));
  assert.deepEqual([crop.status, crop.headers.get("content-type"), crop.headers.get("headroom-faces")], [200, "image/png", "3"]);
  assert.equal((await (await fetch(facesURL(HEADROOM_URL, { url }))).json()).faces.length, 3);
  assert.equal((await fetch(faceURL(HEADROOM_URL, 3, { url, enlarge: true }))).status, 200);
});

test("the loader for Next.js and the provider for unpic", { skip }, async () => {
  const plan = async (target) => (await fetch(`${target}&format=json`)).json();
  const loaded = await plan(nextLoader(HEADROOM_URL, { origin: HEADROOM_ORIGIN, aspect: "1:1" })({ src: "/scene.jpg", width: 64 }));
  assert.deepEqual(loaded.crops[0].output, { width: 64, height: 64 });
  const transformed = await plan(transform(url, { width: 160, height: 90 }, { baseUrl: HEADROOM_URL }));
  assert.deepEqual(transformed.crops[0].output, { width: 160, height: 90 });
});

test("the service has each parameter", { skip }, async () => {
  for (const [route, known] of Object.entries(PARAMETERS)) {
    // No parameter accepts this value, so the response must list each parameter as invalid and no parameter as unknown.
    const wrong = Object.keys(known).filter((name) => name !== "url" && name !== "v");
    const query = new URLSearchParams({ url, ...Object.fromEntries(wrong.map((name) => [name, "?"])) });
    const response = await fetch(`${HEADROOM_URL}${route.replace("{index}", "1")}?${query}`);
    assert.equal(response.status, 400);
    assert.doesNotMatch((await response.json()).detail, /Unknown parameter/);
  }
});

test("signed URLs", { skip: skipSigned }, async () => {
  const strange = `${url}?café+(1)='~!*`;
  const signed = await sign(frameURL(HEADROOM_SIGNED_URL, { url: strange, width: 64, v: "ü😀" }), HEADROOM_SIGNING_KEY);
  assert.equal((await fetch(signed)).status, 200);
  assert.equal((await fetch(signed.replace("width=64", "width=65"))).status, 403);
  const late = await sign(facesURL(HEADROOM_SIGNED_URL, { url }), HEADROOM_SIGNING_KEY, { expires: new Date(0) });
  assert.equal((await fetch(late)).status, 403);
  const soon = { expires: new Date(Date.now() + 600_000) };
  assert.equal((await fetch(await sign(late, HEADROOM_SIGNING_KEY, soon))).status, 200);
});

test("signed uploads", { skip: skipSigned }, async () => {
  const target = frameURL(HEADROOM_SIGNED_URL, { aspect: "1:1" });
  const upload = async (options) =>
    (await post(await sign(target, HEADROOM_SIGNING_KEY, { method: "POST", ...options }), image)).status;
  assert.equal(await upload({ maxUpload: image.length }), 200);
  assert.equal(await upload({ maxUpload: image.length - 1 }), 413);
  assert.equal(await upload({ digest: createHash("sha256").update(image).digest("hex") }), 200);
  assert.equal(await upload({ digest: "00".repeat(32) }), 403);
  assert.equal(await upload({ method: "GET" }), 403);
});
