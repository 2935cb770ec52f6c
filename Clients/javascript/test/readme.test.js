// Runs the listings of the README.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const listings = [...readme.matchAll(/```js\n(.*?)```/gs)].map((match) => match[1]);

/** Runs a listing as a separate module, and returns its exports and definitions. */
async function run(listing) {
  const names = [...listing.matchAll(/^const (\w+) =/gm)].map((match) => match[1]);
  const local = listing.replaceAll('"headroom-client"', JSON.stringify(new URL("../headroom.js", import.meta.url).href));
  return import(`data:text/javascript,${encodeURIComponent(`${local}\nexport { ${names.join(", ")} };`)}`);
}

test("the listings run", async () => {
  process.env.HEADROOM_SIGNING_KEY ??= "an-example-key-0123456789abcdefghij";
  const [urls, signatures, loader, config, unpic] = await Promise.all(listings.map(run));
  assert.ok(urls.avatar.startsWith("http://localhost:8080/frame?aspect=1%3A1&"));
  assert.match(signatures.upload, /expires=\d+&maxUpload=5000000&signature=[0-9a-f]{64}$/);
  assert.match(loader.default({ src: "/team.jpg", width: 640 }), /url=https%3A%2F%2Fwww.example.com%2Fteam.jpg&width=640$/);
  assert.equal(config.default.images.loader, "custom");
  assert.match(unpic.large, /height=600&quality=70&url=.*&width=800$/);
});
