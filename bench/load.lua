-- A request that wrk repeats. Method and body come from the environment. The result is one line of JSON.
wrk.method = os.getenv("BENCH_METHOD")
local path = os.getenv("BENCH_BODY_FILE")
if path then
  local file = assert(io.open(path))
  wrk.body = file:read("*a")
  file:close()
end

done = function(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.timeout
  io.write(string.format(
    'RESULT {"requests":%d,"durationUs":%d,"p50Us":%d,"p99Us":%d,"failures":%d,"badStatuses":%d}\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), failed, errors.status))
end
