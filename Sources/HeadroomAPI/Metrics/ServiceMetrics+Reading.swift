package import FramePipeline
package import HTTPServer
package import ImageSource
import Isolation
import PrometheusMetrics
package import SharedCache

extension ServiceMetrics {
    /// Has the workers asked at every scrape how they are.
    package func read(_ service: FrameService, limits: PoolConfiguration) {
        registry.read { Self.samples(service, limits) + Self.processSamples(service) }
    }

    /// Has what fetches asked at every scrape how busy it is.
    package func read(_ fetcher: ImageFetcher, slots: Int) {
        registry.read {
            let load = fetcher.load
            return [
                MetricSample(HeadroomMetrics.runningFetches, [], load.running),
                MetricSample(HeadroomMetrics.waitingFetches, [], load.waiting),
                MetricSample(HeadroomMetrics.fetchLimit, [], slots),
            ]
        }
    }

    /// Has a server asked at every scrape how many connections it has.
    package func read(_ server: HTTPServer, limit: Int) {
        // The server has the handler, which has these.
        registry.read { [weak server] in
            [
                MetricSample(HeadroomMetrics.connections, [], server?.connectionCount ?? 0),
                MetricSample(HeadroomMetrics.connectionLimit, [], limit),
            ]
        }
    }

    /// Has it asked at every scrape whether requests are welcome.
    package func read(_ readiness: Readiness, of service: FrameService) {
        registry.read {
            [MetricSample(HeadroomMetrics.ready, [], readiness.obstacles(of: service).isEmpty ? 1 : 0)]
        }
    }

    /// Has caches asked at every scrape what they did; each has a name that never changes.
    package func readCaches(_ figures: @escaping @Sendable () -> [(name: String, figures: CacheStatistics)]) {
        registry.read {
            figures().flatMap { name, figures in
                [
                    MetricSample(HeadroomMetrics.cacheHits, [name], figures.hits),
                    MetricSample(HeadroomMetrics.cacheMisses, [name], figures.misses),
                    MetricSample(HeadroomMetrics.cacheSharedHits, [name], figures.sharedHits),
                    MetricSample(HeadroomMetrics.cacheJoins, [name], figures.joined),
                    MetricSample(HeadroomMetrics.cacheStores, [name], figures.stores),
                    MetricSample(HeadroomMetrics.cacheEvictions, [name], figures.evictions),
                    MetricSample(HeadroomMetrics.cacheBytes, [name], figures.bytes),
                    MetricSample(HeadroomMetrics.cacheLimit, [name], figures.budget),
                ]
            }
        }
    }

    /// Has the Redis behind the caches asked at every scrape what it was good for; nothing where there is none.
    package func readRedis(_ figures: @escaping @Sendable () -> RedisStatistics?) {
        registry.read {
            guard let figures = figures() else { return [] }
            return [
                MetricSample(HeadroomMetrics.redisConnected, [], figures.isConnected ? 1 : 0),
                MetricSample(HeadroomMetrics.redisLookups, ["hit"], figures.hits),
                MetricSample(HeadroomMetrics.redisLookups, ["miss"], figures.misses),
                MetricSample(HeadroomMetrics.redisLookups, ["late"], figures.late),
                MetricSample(HeadroomMetrics.redisLookups, ["skipped"], figures.skipped),
                MetricSample(HeadroomMetrics.redisWrites, ["taken"], figures.writes),
                MetricSample(HeadroomMetrics.redisWrites, ["dropped"], figures.droppedWrites),
                MetricSample(HeadroomMetrics.redisFailures, [], figures.failures),
            ]
        }
    }

    private static func samples(_ service: FrameService, _ limits: PoolConfiguration) -> [MetricSample] {
        let load = service.load
        return [
            MetricSample(HeadroomMetrics.queueLength, [], load.waiting),
            MetricSample(HeadroomMetrics.queueLimit, [], limits.queueLimit),
            MetricSample(HeadroomMetrics.workers, [], limits.workers),
            MetricSample(HeadroomMetrics.busyWorkers, [], load.running),
            MetricSample(HeadroomMetrics.liveWorkers, [], service.processCounters?.alive ?? limits.workers),
            MetricSample(HeadroomMetrics.bytesInFlight, [], load.bytesInFlight),
            MetricSample(HeadroomMetrics.byteLimit, [], limits.maxBytesInFlight),
        ]
    }

    /// None when workers are threads.
    private static func processSamples(_ service: FrameService) -> [MetricSample] {
        guard let counters = service.processCounters else { return [] }
        var samples = [
            MetricSample(HeadroomMetrics.workerRestarts, [], counters.restarts),
            MetricSample(HeadroomMetrics.workerRefusals, [], counters.refusals),
            MetricSample(HeadroomMetrics.refusedSources, [], counters.refusedSources),
        ]
        for cause in WorkerEnd.Cause.allCases {
            samples.append(MetricSample(HeadroomMetrics.workerEnds, [cause.rawValue], counters.ends[cause] ?? 0))
        }
        for (worker, processID) in service.processIDsByWorker {
            // It may have ended since.
            guard let statistics = ProcessStatistics(of: processID) else { continue }
            let labels = ["\(worker)"]
            samples.append(MetricSample(HeadroomMetrics.workerProcessorTime, labels, statistics.processorSeconds))
            samples.append(MetricSample(HeadroomMetrics.workerMemory, labels, statistics.residentBytes))
        }
        return samples
    }
}
