import type { StreamEvent } from '../../canonical/event.ts';
import type { Frame } from '../../contract/frame.ts';
import type { ResponseHead } from '../../contract/response-head.ts';
import { streamProofs } from '../../encoding/call-proofs.ts';
import { restoreTools } from '../../encoding/restore-tools.ts';
import { StreamWriter } from './stream-writer.ts';

/** Creates the encoder of one stream, whose events are numbered from 0. */
export function createStreamEncoder(head: ResponseHead): (event: StreamEvent) => Frame[] {
  const prove = streamProofs();
  const restore = restoreTools(head.request.tools);
  const writer = new StreamWriter(head);
  return (event) => {
    for (const proven of prove(event)) for (const restored of restore(proven)) write(writer, restored);
    return writer.takeFrames();
  };
}

function write(writer: StreamWriter, event: StreamEvent): void {
  switch (event.type) {
    case 'response-start':
      writer.begin();
      break;
    case 'part-start':
      writer.beginPart(event.index, event.part);
      break;
    case 'part-delta':
      writer.growPart(event.index, event.delta);
      break;
    case 'part-end':
      writer.endPart(event.index);
      break;
    case 'usage':
      writer.usage = event.usage;
      break;
    case 'response-end':
      writer.end(event.stop);
      break;
    case 'response-error':
      writer.fail(event);
      break;
    default:
      event satisfies never;
  }
}
