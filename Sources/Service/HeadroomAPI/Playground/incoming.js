// Images and links that are dropped on the page or pasted.

/** The first URL in a text; nil without a URL. */
const address = (text) => text.split(/\s+/).find((line) => /^https?:\/\//.test(line));

/** Calls `file(file)`, `link(address)`, or `nothing()` for a drop that is neither. */
export function receive({ file, link, nothing }) {
  addEventListener("dragover", (event) => {
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  addEventListener("dragleave", (event) => { if (!event.relatedTarget) document.body.classList.remove("dropping"); });
  addEventListener("drop", (event) => {
    event.preventDefault();
    document.body.classList.remove("dropping");
    const { files } = event.dataTransfer;
    if (files.length) return file(files[0]);
    const dropped = address(event.dataTransfer.getData("text/uri-list") || event.dataTransfer.getData("text"));
    if (dropped) link(dropped);
    else nothing();
  });
  addEventListener("paste", (event) => {
    const image = [...(event.clipboardData?.files ?? [])].find((found) => found.type.startsWith("image/"));
    if (image) return file(image);
    const pasted = address(event.clipboardData?.getData("text") ?? "");
    if (pasted && !event.target.matches("input")) link(pasted);
  });
}
