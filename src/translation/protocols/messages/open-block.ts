import type { PartHead } from '../../canonical/event.ts';
import { flatToolName } from '../../encoding/flat-tool.ts';
import type { Block } from './block.ts';
import { redactedBlock } from './signature-blocks.ts';

/**
 * Returns a block as it opens, before its deltas.
 * Citations are a list, since a widely used client refuses null.
 */
export function openBlock(head: PartHead): Block {
  switch (head.kind) {
    case 'text':
    case 'refusal':
      return { type: 'text', text: '', citations: [] };
    case 'thinking':
      return { type: 'thinking', thinking: '', signature: '' };
    case 'tool-call':
      return {
        type: 'tool_use',
        id: head.callId,
        name: flatToolName(head),
        input: {},
        caller: { type: 'direct' },
      };
    case 'redacted-thinking':
      return redactedBlock(head.replay);
    case 'opaque':
      return head.block as Block;
  }
}
