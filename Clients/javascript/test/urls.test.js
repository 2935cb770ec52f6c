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
