import type { Field } from '../model/field.ts';
import type { MarkedPart } from '../model/prompt-part.ts';
import { type MediaLabel, mediaFromBase64, mediaFromId, mediaFromUrl } from '../model/read-media.ts';

/** Reads the content of a message or of a tool's output: a text or a list of parts. */
export function readResponsesContent(content: Field): MarkedPart[] {
  if (content.isText()) return [{ kind: 'text', text: content.text() }];
  if (!content.isList()) content.fail('expected a string or an array of parts');
  return content.items().map((part) => PART_READERS[part.at('type').oneOf(PART_TYPES)](part));
}

const PART_TYPES = [
  'input_text',
  'output_text',
  'text',
  'refusal',
  'input_image',
  'input_file',
  'input_audio',
] as const;

const readText = (part: Field): MarkedPart => ({ kind: 'text', text: part.at('text').text() });

const PART_READERS: Record<(typeof PART_TYPES)[number], (part: Field) => MarkedPart> = {
  input_text: readText,
  output_text: readText,
  text: readText,
  refusal: (part) => ({ kind: 'text', text: part.at('refusal').text() }),
  input_image: (part) => readFile(part, { label: { kind: 'image', mediaType: 'image/*' }, url: 'image_url' }),
  input_file: (part) =>
    readFile(part, { label: { kind: 'document', mediaType: 'application/pdf' }, url: 'file_url' }),
  input_audio: (part) => {
    const format = part.at('input_audio').at('format').oneOf(['wav', 'mp3']);
    return mediaFromBase64(
      { kind: 'audio', mediaType: `audio/${format}` },
      part.at('input_audio').at('data'),
    );
  },
};

type FileForm = { label: MediaLabel; url: string };

function readFile(part: Field, { label, url }: FileForm): MarkedPart {
  const namedLabel = { ...label, name: part.at('filename').optionalText() };
  const address = part.either('file_data', url);
  if (address.present) return mediaFromUrl(namedLabel, address);
  const id = part.at('file_id');
  return id.present ? mediaFromId(namedLabel, id.text()) : part.fail(`expected 'file_id' or '${url}'`);
}
