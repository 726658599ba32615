import type { ToolChoice } from '../canonical/request.ts';
import type { EncodeNotes } from './encode-notes.ts';

/** Refuses a tool choice that no tool of the target can meet. */
export function refuseToolChoice({ kind }: ToolChoice, notes: EncodeNotes): void {
  const tool = kind === 'named' ? 'this tool' : 'any of the tools';
  notes.refuseField('tool_choice', `the chosen model cannot call ${tool}`);
}
