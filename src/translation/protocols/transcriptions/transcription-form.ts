import type { FormShape } from '../../../base/forms/form-shape.ts';

/**
 * The form of a request to transcribe or to translate a file.
 * Its sound is measured before the request is admitted.
 */
export const transcriptionForm: FormShape = {
  fields: {
    model: 'text',
    language: 'text',
    prompt: 'text',
    response_format: 'text',
    temperature: 'number',
    stream: 'boolean',
  },
  files: { file: 1 },
  required: 'file',
  sound: 'file',
};
