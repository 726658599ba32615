/** The descriptions of the fields that requests for new images and for changes of images share. */
export const imageFieldTexts = {
  model: 'The id of an image model or one of its aliases.',
  n: 'The number of images, 1 by default.',
  size: 'The size, such as `1024x1024`. With `auto` the model chooses it.',
  quality: 'The quality, such as `high`. With `auto` the model chooses it.',
  stream: '`true` streams the images as server-sent events.',
  partial_images: 'The number of partial images in a stream. They cost nothing.',
  response_format: '`b64_json` or `url`, on models that offer the choice.',
  user: 'An id of the end user. The caller chooses it.',
};
