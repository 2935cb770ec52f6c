import assert from "node:assert/strict";
import test from "node:test";

import { faceURL, facesURL, frameURL, nextLoader } from "../headroom.js";

const url = "https://example.com/a.jpg";
const query = (address) => Object.fromEntries(new URL(address).searchParams);

test("a crop", () => {
  assert.equal(
    frameURL("http://localhost:8080/", { width: 400, url, aspect: "1:1" }),
    "http://localhost:8080/frame?aspect=1%3A1&url=https%3A%2F%2Fexample.com%2Fa.jpg&width=400",
  );
});

test("faces and one face", () => {
  assert.equal(new URL(facesURL("https://img.example.com/headroom", { url, format: "zip" })).pathname, "/headroom/faces");
  assert.equal(new URL(faceURL("https://img.example.com", 2, { url })).pathname, "/faces/2");
  for (const index of [0, -1, 1.5, "1"]) {
    assert.throws(() => faceURL("https://img.example.com", index, { url }), RangeError);
  }
});

test("deprecated names and words are replaced, and both names are refused", () => {
  const old = { url, key: "auto", mark: "logo", markPlace: "top", markWidth: 0.3, box: "turn", lossless: false, motion: "still" };
  assert.deepEqual(query(frameURL("http://localhost", old)), {
    url, chromaKey: "auto", watermark: "logo", watermarkPosition: "top", watermarkWidth: "0.3",
    boxOrientation: "swap", losslessCrop: "false", motion: "fixed",
  });
  assert.throws(() => frameURL("http://localhost", { url, mark: "a", watermark: "a" }), /mark is not allowed with watermark/);
});

test("an address without a host, and no parameters", () => {
  assert.equal(frameURL("/images"), "/images/frame");
});

for (const [name, value, expected] of [
  ["aspect", ["16:9", 1.5], "16:9,1.5"],
  ["minFace", 0.00000001, "0.00000001"],
  ["zoom", 0, "0"],
  ["enlarge", true, "true"],
  ["quality", "source", "source"],
  ["rotate", 90, "90"],
  ["progressive", true, "true"],
  ["region", "0,0,0.5,1", "0,0,0.5,1"],
  ["focus", "0.2,0.1,0.3,0.4;1px,2px,3px,4px,0.5", "0.2,0.1,0.3,0.4;1px,2px,3px,4px,0.5"],
  ["v", "a b&c", "a b&c"],
]) {
  test(`${name} = ${JSON.stringify(value)}`, () => {
    assert.equal(query(frameURL("http://localhost", { url, [name]: value }))[name], expected);
  });
}

test("maxAge of every route, and values that no request can have", () => {
  for (const address of [
    frameURL("http://localhost", { url, maxAge: 60 }), facesURL("http://localhost", { url, maxAge: 60 }),
    faceURL("http://localhost", 1, { url, maxAge: 60 }),
  ]) {
    assert.equal(query(address).maxAge, "60");
  }
  for (const maxAge of [-1, 1.5, NaN, 2 ** 31, "60"]) {
    assert.throws(() => frameURL("http://localhost", { url, maxAge }), /^RangeError: maxAge=.* is not valid: expected/);
  }
});

test("sources in buckets", () => {
  for (const source of ["s3://bucket/a.jpg", "gs://bucket/a.jpg", "abs://container/a.jpg"]) {
    assert.equal(query(frameURL("http://localhost", { url: source })).url, source);
  }
});

test("null and undefined are left out", () => {
  assert.deepEqual(query(frameURL("http://localhost", { url, width: undefined, height: null })), { url });
});

test("unknown names and words", () => {
  assert.throws(() => frameURL("http://localhost", { widht: 1 }), /^TypeError: \/frame has no parameter widht: .*width/);
  assert.throws(() => frameURL("http://localhost", { toString: 1 }), TypeError);
  assert.throws(() => facesURL("http://localhost", { fit: "pad" }), TypeError);
  assert.throws(() => frameURL("http://localhost", { fit: "covr" }), /^RangeError: fit=covr is not valid: .*cover, limit, crop, inside/);
  assert.throws(() => frameURL("http://localhost", { rotate: 45 }), /^RangeError: rotate=45 is not valid: .*90, 180/);
});

for (const [name, value] of [
  ["width", NaN], ["width", -1], ["width", 0], ["width", 400.5], ["width", Infinity], ["width", "abc"], ["width", 16_385],
  ["height", -0.5], ["height", "12.5"], ["quality", 0], ["quality", 101], ["quality", 80.5], ["maxBytes", 0.5], ["dpr", NaN],
  ["zoom", -1], ["padding", NaN], ["minFace", -0.1], ["aspect", [1, NaN]], ["width", new Date(0)], ["v", {}],
  ["url", "example.com/a.jpg"], ["url", "www.example.com/a.jpg?b=1"], ["url", ""], ["url", "localhost:8080/a.jpg"],
  ["url", "ftp://example.com/a.jpg"], ["url", "data:image/png;base64,AA"], ["url", "C:/a.jpg"],
  ["backdropUrl", "example.com/a.jpg"],
]) {
  test(`${name} = ${String(value)} is refused`, () => {
    assert.throws(() => frameURL("http://localhost", { url, [name]: value }), /is not valid: expected/);
  });
}

for (const [name, value, expected] of [
  ["width", "50%", "50%"], ["width", "auto", "auto"], ["height", 16_384, "16384"], ["quality", 100, "100"],
  ["url", "//example.com/a.jpg", "//example.com/a.jpg"], ["url", "/a.jpg", "/a.jpg"], ["url", "people/a.jpg", "people/a.jpg"],
  ["url", "a.jpg", "a.jpg"], ["url", "s3://photos/a.jpg", "s3://photos/a.jpg"], ["url", "local:///a.jpg", "local:///a.jpg"],
  ["url", new URL("HTTPS://example.com/a.jpg"), "https://example.com/a.jpg"], ["url", "HTTP://h/a", "HTTP://h/a"],
]) {
  test(`${name} = ${String(value)} is accepted`, () => {
    assert.equal(query(frameURL("http://localhost", { url, [name]: value }))[name], expected);
  });
}

test("the loader for Next.js", () => {
  const loader = nextLoader("https://img.example.com", { origin: "https://www.example.com", aspect: "1:1", quality: 70 });
  assert.deepEqual(query(loader({ src: "/team.jpg", width: 640 })), {
    url: "https://www.example.com/team.jpg",
    aspect: "1:1",
    width: "640",
    quality: "70",
  });
  assert.equal(query(loader({ src: url, width: 640, quality: 50 })).quality, "50");
  assert.equal(query(loader({ src: url, width: 640 })).url, url);
  assert.throws(() => nextLoader("https://img.example.com")({ src: "/team.jpg", width: 640 }), /the option origin is needed/);
});
