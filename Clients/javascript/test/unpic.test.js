// Tests the provider functions that unpic calls: extract, generate and transform.
import assert from "node:assert/strict";
import test from "node:test";

import { extract, generate, transform } from "../headroom.js";

const src = "https://example.com/team.jpg?a=1&b=2";
const options = { baseUrl: "https://img.example.com/headroom" };

test("generate makes a URL that extract reads", () => {
  const operations = {
    width: 800,
    height: 600,
    format: "webp",
    quality: 75,
    dpr: 1.5,
    rotate: 90,
    maxBytes: 60000,
    progressive: true,
    chroma: "444",
    gravity: "face:2",
    enlarge: true,
    losslessCrop: false,
    v: "7",
  };
  const url = generate(src, operations, options);
  assert.ok(url.startsWith("https://img.example.com/headroom/frame?"));
  assert.deepEqual(extract(url), { src, operations, options });
  assert.deepEqual(extract(new URL(url), options), { src, operations, options });
});

test("sizes are whole numbers", () => {
  const url = generate(src, { width: 639.6, height: "100" }, options);
  assert.deepEqual(extract(url).operations, { width: 640, height: 100 });
});

test("both sides are the shape", () => {
  assert.deepEqual(extract(generate(src, { aspect: "1:1", width: 400 }, options)).operations, { aspect: "1:1", width: 400 });
  assert.deepEqual(extract(generate(src, { aspect: "1:1", width: 400, height: 300 }, options)).operations, {
    width: 400,
    height: 300,
  });
});

test("transform makes a URL of any source", () => {
  assert.equal(transform(src, { width: 400 }, options), generate(src, { width: 400 }, options));
  assert.equal(transform(new URL(src), { width: 400 }, options), generate(src, { width: 400 }, options));
});

test("transform changes a URL that it made", () => {
  const first = transform(src, { width: 400, aspect: "1:1", quality: "source" }, options);
  const second = transform(first, { width: 800, aspect: undefined });
  assert.deepEqual(extract(second), { src, operations: { width: 800, aspect: "1:1", quality: "source" }, options });
});

test("transform drops a signature, which would not be valid", () => {
  const signed = `${generate(src, { width: 400 }, options)}&expires=1&signature=00`;
  assert.equal(transform(signed, { width: 800 }), generate(src, { width: 800 }, options));
});

for (const url of [
  "https://example.com/team.jpg",
  "https://img.example.com/headroom/frame",
  "https://img.example.com/headroom/frame?aspect=1:1",
  `https://img.example.com/headroom/faces?url=${encodeURIComponent(src)}`,
  "/team.jpg",
  "",
]) {
  test(`extract returns null for ${JSON.stringify(url)}`, () => assert.equal(extract(url), null));
}

test("a URL of another service is a source", () => {
  const other = generate(src, { width: 400 }, { baseUrl: "https://other.example.com" });
  assert.equal(extract(other, options), null);
  assert.equal(extract(transform(other, { width: 800 }, options)).src, other);
});

test("an address without a host", () => {
  const url = transform("/team.jpg", { width: 400 }, { baseUrl: "/images/", origin: "https://www.example.com" });
  assert.equal(url, "/images/frame?url=https%3A%2F%2Fwww.example.com%2Fteam.jpg&width=400");
  assert.deepEqual(extract(url).options, { baseUrl: "/images" });
});

test("what is missing is named", () => {
  assert.throws(() => generate(src, { width: 400 }), /the option baseUrl is missing/);
  assert.throws(() => generate("/team.jpg", { width: 400 }, options), /the option origin is needed/);
});
