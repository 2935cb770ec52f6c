// The frames of a clip, read by the browser: the clip itself is not sent.

/** Seconds between frames, and the maximum number of frames; long clips have fewer frames per second. */
const [INTERVAL, MAX_FRAMES] = [0.5, 160];
/** The long side of sent images and of images in the strip, in pixels. */
const [SENT, THUMB] = [960, 96];

/** Opens a clip; throws an Error with a sentence if the browser cannot play it. */
export function open(file) {
  return new Promise((resolve, reject) => {
    const video = document.createElement("video");
    video.muted = true;
    video.playsInline = true;
    video.preload = "auto";
    video.onloadeddata = () => {
      if (video.videoWidth && Number.isFinite(video.duration)) resolve(video);
      else reject(new Error("The file contains no video, or has no end."));
    };
    video.onerror = () => reject(new Error("This browser cannot play the file. Most browsers play MP4 with H.264 and WebM."));
    video.src = URL.createObjectURL(file);
  });
}

/** The times of the shown frames, in seconds. */
export function times(video) {
  const step = Math.max(INTERVAL, video.duration / MAX_FRAMES);
  const count = Math.max(1, Math.floor((video.duration - 0.01) / step) + 1);
  return Array.from({ length: count }, (_, index) => index * step);
}

/** Seeks to a time, and resolves when its frame is available. */
export function seek(video, time) {
  if (Math.abs(video.currentTime - time) < 1e-3 && video.readyState >= 2) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("The browser did not return a frame of the clip in time.")), 15000);
    video.onseeked = () => { clearTimeout(timer); resolve(); };
    video.currentTime = time;
  });
}

/** Draws the current frame on a canvas whose sides are at most `side` pixels. */
export function draw(video, canvas, side) {
  const scale = Math.min(1, side / Math.max(video.videoWidth, video.videoHeight));
  canvas.width = Math.max(1, Math.round(video.videoWidth * scale));
  canvas.height = Math.max(1, Math.round(video.videoHeight * scale));
  canvas.getContext("2d").drawImage(video, 0, 0, canvas.width, canvas.height);
  return scale;
}

/** The current frame as an image to send, its scale, and a small copy of it. */
export async function frameImage(video) {
  const canvas = document.createElement("canvas");
  const scale = draw(video, canvas, SENT);
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.85));
  const thumb = document.createElement("canvas");
  draw(video, thumb, THUMB);
  return { blob, scale, thumb };
}
