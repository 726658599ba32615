import { Type } from '../../base/schema/type.ts';

/** The usage that some upstreams report for answers of metered endpoints. */
export const meteredUsageSchema = Type.Optional(
  Type.Object(
    {
      input_tokens: Type.Optional(Type.Integer()),
      output_tokens: Type.Optional(Type.Integer()),
      total_tokens: Type.Optional(Type.Integer()),
    },
    { description: 'The tokens that the upstream counted. Absent if it counts none.' },
  ),
);
