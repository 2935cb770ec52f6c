// The crop in every format, with its size and times.

import { kilobytes } from "./image.js";
import { ask } from "./service.js";
import { pairs } from "./state.js";

const FORMATS = ["jpeg", "png", "webp", "avif", "gif"];

/** Requests the crop in every format, one after another, and adds a row for each format. */
export async function measure(rows, state, source, options) {
  rows.replaceChildren();
  for (const format of FORMATS) {
    const row = rows.insertRow();
    row.append(Object.assign(document.createElement("th"), { scope: "row", textContent: format }));
    try {
      const { body, header, milliseconds } = await ask("frame", source, [...pairs(state, "format"), ["format", format]], options);
      const bitmap = await createImageBitmap(body).catch(() => null);
      const link = Object.assign(document.createElement("a"), {
        href: URL.createObjectURL(body), download: `crop.${extension(body.type)}`,
        textContent: kilobytes(body.size), title: `${body.size.toLocaleString("en")} bytes`,
      });
      row.insertCell().textContent = bitmap ? `${bitmap.width} × ${bitmap.height}` : "";
      row.insertCell().append(link);
      row.insertCell().textContent = `${Math.round(milliseconds)} ms`;
      row.insertCell().textContent = header("Server-Timing")
        .replaceAll(/;desc="[^"]*"/g, "").replaceAll(";dur=", " ");
    } catch (refusal) {
      if (refusal.name === "AbortError") return row.remove();
      const cell = row.insertCell();
      cell.colSpan = 4;
      cell.textContent = refusal.message;
    }
  }
}

/** The usual ending of a file of a media type. */
export const extension = (type) => (type.split("/")[1] ?? "jpeg").replace("jpeg", "jpg");
