import type { Static } from 'typebox';
import { Type } from '../../base/schema/type.ts';
import { MAX_USD_PER_MTOK, MAX_USD_PER_UNIT } from '../plans/amounts.ts';
import type { DeepReadonly } from './deep-readonly.ts';
import { row } from './schema-parts.ts';

const { Optional: optional } = Type;
const usd = (description: string, maximum = MAX_USD_PER_UNIT) =>
  optional(Type.Number({ minimum: 0, maximum, description }));
const word = (description: string) => optional(Type.String({ minLength: 1, maxLength: 64, description }));

const ImagePriceSchema = row(
  {
    size: word('The row applies to images of this size, such as `1024x1024`.'),
    quality: word('The row applies to images of this quality, such as `high`.'),
    usd: Type.Number({ minimum: 0, maximum: MAX_USD_PER_UNIT, description: 'USD per image.' }),
  },
  { description: 'The price of an image.' },
);

export const MeteredSchema = row(
  {
    per_image: optional(
      Type.Array(ImagePriceSchema, {
        minItems: 1,
        maxItems: 64,
        description:
          'Prices of images by size and quality. The first row that matches decides. The last row must have neither.',
      }),
    ),
    per_second: usd(
      'USD per second of transcribed sound. For speech models without `per_million_characters`: USD per second of speech.',
    ),
    per_million_characters: usd('USD per million Unicode characters of the text to speak.', MAX_USD_PER_MTOK),
    per_1000_documents: usd('USD per 1,000 documents to rank.', MAX_USD_PER_MTOK),
    per_request: usd('USD per request, in addition to the other prices.'),
  },
  { description: 'Prices of quantities other than tokens.' },
);

export type MeteredRow = DeepReadonly<Static<typeof MeteredSchema>>;
