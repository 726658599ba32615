import type { FormShape } from '../../../base/forms/form-shape.ts';

/** The limit of this protocol's vendor. */
export const MAX_IMAGES = 16;

/** The form of a request to edit images. The endpoint takes JSON with addresses of images too. */
export const editsForm: FormShape = {
  fields: {
    model: 'text',
    prompt: 'text',
    n: 'integer',
    size: 'text',
    quality: 'text',
    stream: 'boolean',
    partial_images: 'integer',
    response_format: 'text',
    user: 'text',
    background: 'text',
    output_format: 'text',
    output_compression: 'integer',
    input_fidelity: 'text',
    moderation: 'text',
    frame_count: 'integer',
    frame_duration_ms: 'integer',
    complexity: 'text',
    svg: 'text',
  },
  files: { image: MAX_IMAGES, 'image[]': MAX_IMAGES, mask: 1, markup: 1 },
  required: 'image',
  orJson: true,
};
