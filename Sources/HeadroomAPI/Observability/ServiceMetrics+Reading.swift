import Admission
package import Caching
package import Fetching
package import HTTPServer
import Telemetry
package import Workers

extension ServiceMetrics {
    /// Samples the workers at each scrape.
    package func read(_ service: FrameService, limits: PoolConfiguration) {
        registry.read { Self.samples(service, limits) + Self.processSamples(service) }
    }

    /// Samples the fetcher's load at each scrape.
    package func read(_ fetcher: ImageFetcher, limits: FetchConfiguration) {
        registry.read {
            let load = fetcher.load
            return [
                MetricSample(HeadroomMetrics.runningFetches, [], load.running),
                MetricSample(HeadroomMetrics.waitingFetches, [], load.waiting),
                MetricSample(HeadroomMetrics.waitingFetchLimit, [], limits.waitingLimit),
                MetricSample(HeadroomMetrics.fetchLimit, [], limits.slots),
                MetricSample(HeadroomMetrics.sourceBytes, [], fetcher.budget.used),
            ]
        }
    }

    /// Samples a server's connections and memory at each scrape.
    package func read(_ server: HTTPServer, limit: Int) {
        // Weak, because the server retains the handler, which retains these metrics.
        registry.read { [weak server] in
            [
                MetricSample(HeadroomMetrics.connections, [], server?.connectionCount ?? 0),
                MetricSample(HeadroomMetrics.connectionLimit, [], limit),
                MetricSample(HeadroomMetrics.bodyBytes, [], server?.bodyBytes ?? 0),
                MetricSample(HeadroomMetrics.unsentBytes, [], server?.unsentBytes ?? 0),
            ]
        }
    }

    /// Samples the readiness at each scrape.
    package func read(_ readiness: Readiness, of service: FrameService) {
        registry.read {
            [MetricSample(HeadroomMetrics.ready, [], readiness.obstacles(of: service).isEmpty ? 1 : 0)]
        }
    }

    /// Samples the caches at each scrape; the name of a cache never changes.
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

    /// Samples Redis at each scrape; no samples without Redis.
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

    /// Empty when workers are threads.
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
            // The process may have exited since.
            guard let statistics = ProcessStatistics(of: processID) else { continue }
            let labels = ["\(worker)"]
            samples.append(MetricSample(HeadroomMetrics.workerProcessorTime, labels, statistics.processorSeconds))
            samples.append(MetricSample(HeadroomMetrics.workerMemory, labels, statistics.residentBytes))
        }
        return samples
    }
}
