import { TYPESCRIPT_FRAME, toolAsTypescript } from './tool-as-typescript.ts';

/** The form in which a vendor writes tools into the prompt. */
export type ToolForm = 'typescript' | 'json';

/**
 * Returns the texts of tools in a vendor's form: one JSON of all tools, or a frame and a text for each tool.
 * Returns undefined if a tool is too long when it is written out.
 */
export function writtenTools(tools: readonly unknown[], form: ToolForm): string[] | undefined {
  if (form === 'json') return [JSON.stringify(tools)];
  const texts = [TYPESCRIPT_FRAME];
  for (const tool of tools) {
    const text = toolAsTypescript(tool);
    if (text === undefined) return undefined;
    texts.push(text);
  }
  return texts;
}
