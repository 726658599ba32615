/** An example of a tool. */
export const sampleTools = JSON.stringify(
  [
    {
      name: 'get_weather',
      description: 'Returns the current weather of a city.',
      parameters: {
        type: 'object',
        properties: { city: { type: 'string', description: 'For example Zürich' } },
        required: ['city'],
      },
    },
  ],
  null,
  2,
);

/** An example of the schema of an answer. */
export const sampleSchema = JSON.stringify(
  {
    type: 'object',
    properties: { city: { type: 'string' }, country: { type: 'string' } },
    required: ['city', 'country'],
    additionalProperties: false,
  },
  null,
  2,
);
