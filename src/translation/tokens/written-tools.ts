import { TYPESCRIPT_FRAME, toolsAsTypescript } from './tools-as-typescript.ts';

/** The form in which a vendor writes tools into the prompt. */
export type ToolForm = 'typescript' | 'json';

/**
 * Returns the texts of tools in a vendor's form: one JSON of all tools, or a frame and a text for each tool.
 * Returns undefined if the tools are too long when they are written out.
 */
export function writtenTools(tools: readonly unknown[], form: ToolForm): string[] | undefined {
  if (form === 'json') return [JSON.stringify(tools)];
  const texts = toolsAsTypescript(tools);
  return texts && [TYPESCRIPT_FRAME, ...texts];
}
