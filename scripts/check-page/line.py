"""Checks the transferred bytes and the waiting times over a slow line: 1 Mbit per second in both directions."""
import time

RATE = 125_000
# An image with as much detail as a photo: a JPEG of about 1.7 MB.
LARGE = """
    const image = await createImageBitmap(await fetch('playground/scene.jpg').then((found) => found.blob()));
    const canvas = new OffscreenCanvas(3200, 1800), context = canvas.getContext('2d');
    context.drawImage(image, 0, 0, 3200, 1800);
    let seed = 1;
    for (let count = 0; count < 90000; count += 1) {
      const [x, y, side] = [1, 2, 3].map(() => (seed = seed * 48271 % 2147483647) / 2147483647);
      context.fillStyle = `rgb(${seed % 256} ${seed % 251} ${seed % 241} / 0.12)`;
      context.fillRect(x * 3200, y * 1800, 4 + side * 24, 4 + side * 24);
    }
    const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.95 });
    window.large = blob.size;
    data.items.add(new File([blob], 'large.jpg', { type: 'image/jpeg' }));
"""


def slow(page, is_slow):
    page.command("Network.enable")
    page.command("Network.emulateNetworkConditions", offline=False, latency=20 if is_slow else 0,
                 downloadThroughput=RATE if is_slow else -1, uploadThroughput=RATE if is_slow else -1)


def moved(page):
    """Returns the number of bytes that the page has sent and received."""
    return page.run("""
        const received = performance.getEntriesByType('resource').reduce((sum, each) => sum + each.transferSize, 0);
        return sent.reduce((sum, each) => sum + each, 0) + received;""")


def rule_a_slow_connection_uses_a_copy_of_a_large_file(page, _):
    page.open()
    page_bytes = moved(page)
    assert page_bytes < RATE, "the page itself"
    try:
        slow(page, True)
        page.drop(LARGE.replace("await fetch('playground/scene.jpg')", "await fetch('playground/scene.jpg', { cache: 'force-cache' })"))
        begin = time.monotonic()
        page.wait(lambda: page.is_seen("#image"), "the image")
        shown = time.monotonic() - begin
        assert not page.run("return answered"), "the image waits for the service"
        page.wait(lambda: page.at("#progress").is_displayed(), "progress")
        page.wait(lambda: page.all("#overlay .kept"), "faces")
        faces = time.monotonic() - begin
        large, sent = page.run("return [large, sent]")
        assert 1_400_000 < large < 2_200_000, large
        assert sum(sent) < 3 * RATE, f"{sent} bytes were sent to find the faces"
        page.answered()
        assert "Preview" in page.text("#status") and page.at("#exact").is_displayed(), page.text("#status")
        assert "copy of 1024 × 576 pixels" in page.text("#faces"), page.text("#faces")
        waits = []
        for act in [lambda: page.choose("redact", "fill"), lambda: page.choose("place", "thirds"),
                    lambda: page.type("zoom", "\ue010")]:
            before, begin = moved(page), time.monotonic()
            act()
            waits.append(time.monotonic() - begin)
            assert moved(page) - before < 3.5 * RATE, f"{moved(page) - before} bytes for a changed control"
        slow(page, False)
        page.change(lambda: page.at("#exact").click())
        assert page.run("return sent.at(-1)") == large, "the output was not computed from the file"
        assert "JPEG" in page.text("#status") and not page.at("#exact").is_displayed(), page.text("#status")
    finally:
        slow(page, False)
    return (f"page {page_bytes // 1000} kB, file {large // 1000} kB; seconds: image {shown:.1f}, faces {faces:.1f}, "
            f"changed controls {', '.join(f'{wait:.1f}' for wait in waits)}")


def rule_one_request_with_a_reduced_copy_returns_the_plan(page, _):
    page.open("#aspect=1:1")
    page.drop(LARGE)
    page.wait_for_output()
    sent, large = page.run("return sent"), page.run("return large")
    assert len(sent) == 2 and sent[0] < large / 5 and sent[1] == large, sent
    assert page.result_size() == [1800, 1800], page.result_size()
    page.choose("redact", "blur")
    assert len(page.run("return sent")) == 3, "a plan was requested although the change does not affect it"
    page.at("#reduce").click()
    page.wait(lambda: len(page.run("return sent")) == 5, "requests with the file")
    page.answered()
    assert page.run("return sent.slice(3)") == [large, large], page.run("return sent")
    assert "copy of" not in page.text("#faces")
