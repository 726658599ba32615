import { orNull } from '../../base/schema/or-null.ts';
import { Type } from '../../base/schema/type.ts';
import { failureCauses } from '../../upstream/calling/failure-cause.ts';
import type { ProviderTest } from '../../upstream/calling/test-provider.ts';
import type { ViewOf } from '../routes/typed-route.ts';

const text = Type.String();

/** The result of the calls that test a provider. */
export const providerTest = Type.Object(
  {
    ok: Type.Boolean(),
    status: orNull(Type.Integer(), 'The status of the latest answer. `null` means that none arrived.'),
    duration_ms: Type.Integer(),
    model: orNull(text, "The provider's name for the model that was called."),
    text: orNull(text, 'The answer of the model.'),
    models: Type.Array(text, { description: 'The models that the provider offers.' }),
    error: orNull(
      Type.Object({
        cause: Type.Enum([...failureCauses]),
        message: Type.String({ description: "The provider's own words." }),
        remedy: text,
      }),
    ),
  },
  { title: 'Provider Test' },
);

/** Shows the result of a test. */
export const providerTestView = ({ durationMs, ...test }: ProviderTest): ViewOf<typeof providerTest> => ({
  ...test,
  duration_ms: durationMs,
});
