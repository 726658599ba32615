/** The headers of every stream of events. */
export const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  // A proxy that buffers whole answers would undo the streaming.
  'x-accel-buffering': 'no',
};
