// The test vectors of docs/signing.md.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { facesURL, frameURL, sign } from "../headroom.js";

const KEY = "an-example-key-0123456789abcdefghij";
const PAGE = readFileSync(new URL("../../../docs/signing.md", import.meta.url), "utf8");

const VECTORS = [
  {
    method: "GET",
    parameters: { url: "https://example.com/café+(1).jpg?a='1'&b=~!*", aspect: "1:1", width: 400 },
    restrictions: { expires: 1893456000 },
    query:
      "aspect=1%3A1&expires=1893456000&url=https%3A%2F%2Fexample.com%2Fcaf%C3%A9%2B%281%29.jpg" +
      "%3Fa%3D%271%27%26b%3D~%21%2A&width=400",
    signature: "eb8b89c8e3d0531becc58cab77211e6b7c001b1d05e8a973b8490af87283da2b",
  },
  {
    method: "POST",
    parameters: { aspect: "16:9" },
    restrictions: { maxUpload: 5000000, expires: new Date("2030-01-01T00:00:00Z") },
    query: "aspect=16%3A9&expires=1893456000&maxUpload=5000000",
    signature: "f45706d7f340f4aec1795073b6ded400d23cd143dd093dbd38fc820b30fb271a",
  },
];

for (const { method, parameters, restrictions, query, signature } of VECTORS) {
  test(`the vector of ${method}`, async () => {
    const url = await sign(frameURL("https://img.example.com", parameters), KEY, { method, ...restrictions });
    assert.equal(url, `https://img.example.com/frame?${query}&signature=${signature}`);
  });

  test(`the vector of ${method} is that of the page`, () => {
    assert.ok(PAGE.includes(`${method} /frame?${query}\n`));
    assert.ok(PAGE.includes(signature) && PAGE.includes(KEY));
  });
}

test("a prefix that a proxy removes is not signed", async () => {
  const [near, far] = ["https://img.example.com", "https://img.example.com/headroom"];
  const parameters = { url: "https://example.com/a.jpg" };
  const signature = (url) => new URL(url).searchParams.get("signature");
  const plain = await sign(frameURL(near, parameters), KEY);
  const removed = await sign(frameURL(far, parameters), KEY, { prefix: "/headroom" });
  assert.ok(removed.startsWith("https://img.example.com/headroom/frame?"));
  assert.equal(signature(removed), signature(plain));
  await assert.rejects(sign(plain, KEY, { prefix: "/other" }), /does not begin with the prefix \/other/);
});

test("the order and the encoding of a URL make no difference", async () => {
  const [one, other] = ["/frame?v=a%20b&aspect=1%3A1", "/frame?aspect=1:1&v=a+b#top"];
  assert.equal(await sign(one, KEY), await sign(other, KEY));
});

test("names are sorted by their bytes, and equal names by the bytes of their values", async () => {
  const url = await sign("/frame?é=1&b=2&B=3&\u{1f600}=4&\uffff=5&b=10&bb=1", KEY);
  const query = url.slice(0, url.indexOf("&signature="));
  assert.equal(query, "/frame?B=3&b=10&b=2&bb=1&%C3%A9=1&%EF%BF%BF=5&%F0%9F%98%80=4");
});

test("a signature replaces another one", async () => {
  const first = await sign("/frame?v=1", KEY, { expires: 1 });
  assert.equal(await sign(first, KEY, { expires: 2 }), await sign("/frame?v=1", KEY, { expires: 2 }));
});

test("an unknown option is refused", async () => {
  await assert.rejects(sign("/frame", KEY, { method: "POST", maxBytes: 1 }), /^TypeError: sign has no option maxBytes: .*maxUpload/);
});

test("an empty query has a signature", async () => {
  assert.match(await sign(facesURL("/headroom"), KEY, { method: "POST" }), /^\/headroom\/faces\?signature=[0-9a-f]{64}$/);
});

for (const options of [
  { expires: 1893456000000 }, { expires: NaN }, { expires: -1 }, { expires: Infinity }, { expires: new Date("soon") },
  { expires: "2030-01-01" }, { expires: "1893456000" }, { maxUpload: 1.5, method: "POST" }, { maxUpload: 0, method: "POST" },
  { digest: "abc", method: "POST" },
]) {
  test(`${JSON.stringify(options)} of no signature is refused: ${Object.values(options)[0]}`, async () => {
    await assert.rejects(sign("https://img.example.com/frame?aspect=1%3A1", KEY, options), /is not valid: expected/);
  });
}

test("maxAge is signed, also if it is in the URL", async () => {
  const signed = await sign(frameURL("/img", { v: "1" }), KEY, { maxAge: 60 });
  assert.equal(signed, await sign(frameURL("/img", { v: "1", maxAge: 60 }), KEY));
  assert.match(signed, /^\/img\/frame\?maxAge=60&v=1&signature=[0-9a-f]{64}$/);
  await assert.rejects(sign("/frame", KEY, { maxAge: -1 }), /maxAge=-1 is not valid: expected/);
});

test("a fraction of a second of an expiry is dropped", async () => {
  const signed = await sign("https://img.example.com/frame", KEY, { expires: 1893456000.75 });
  assert.equal(new URL(signed).searchParams.get("expires"), "1893456000");
});
