import Dispatch
import Glibc

/// A connected socket and its Dispatch sources; the one owner of its descriptor.
///
/// Two rules of Dispatch shape this type. A descriptor may be closed only after the cancel handlers of all its sources
/// have run, for until then Dispatch still watches it and the kernel could give its number to another connection. And
/// a source must not be released while it is suspended. All calls are made on `queue`.
final class SocketChannel {
    let descriptor: Int32
    private let queue: DispatchQueue
    private var readSource: (any DispatchSourceRead)?
    private var writeSource: (any DispatchSourceWrite)?
    private var sourceCount = 0
    private var isReading = false
    private var awaitsWritable = false
    private var onClosed: (() -> Void)?

    /// Closes a socket that nobody watches yet.
    static func discard(_ descriptor: Int32) { Glibc.close(descriptor) }

    /// Takes over a non-blocking socket.
    init(adopting descriptor: Int32, queue: DispatchQueue) {
        self.descriptor = descriptor
        self.queue = queue
    }

    /// Calls `onReadable` whenever there are bytes, the end of the stream, or an error to read.
    func startReading(_ onReadable: @escaping () -> Void) {
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler(handler: onReadable)
        source.setCancelHandler { self.sourceWasCancelled() }
        readSource = source
        sourceCount += 1
        isReading = true
        source.activate()
    }

    /// Stops calling back: for a client that sends too much, or at the end of the stream, which is readable for ever.
    func pauseReading() {
        guard isReading else { return }
        isReading = false
        readSource?.suspend()
    }

    func resumeReading() {
        guard !isReading, let readSource else { return }
        isReading = true
        readSource.resume()
    }

    /// Calls `onWritable` whenever the socket takes bytes, until ``stopAwaitingWritable()``.
    func awaitWritable(_ onWritable: @escaping () -> Void) {
        guard !awaitsWritable else { return }
        awaitsWritable = true
        if let writeSource {
            writeSource.resume()
            return
        }
        // Made when first needed: most answers fit into the socket's buffer.
        let source = DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler(handler: onWritable)
        source.setCancelHandler { self.sourceWasCancelled() }
        writeSource = source
        sourceCount += 1
        source.activate()
    }

    func stopAwaitingWritable() {
        guard awaitsWritable else { return }
        awaitsWritable = false
        writeSource?.suspend()
    }

    /// Closes the socket as soon as Dispatch has let go of it, and then calls `onClosed`.
    func close(_ onClosed: @escaping () -> Void) {
        self.onClosed = onClosed
        if let readSource {
            if !isReading { readSource.resume() }
            readSource.cancel()
        }
        if let writeSource {
            if !awaitsWritable { writeSource.resume() }
            writeSource.cancel()
        }
    }

    private func sourceWasCancelled() {
        sourceCount -= 1
        guard sourceCount == 0 else { return }
        readSource = nil
        writeSource = nil
        Glibc.close(descriptor)
        onClosed?()
        onClosed = nil
    }
}
