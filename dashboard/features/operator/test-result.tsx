import { formatCount } from '../../components/format.ts';
import { formatDuration } from '../../components/format-duration.ts';
import { Notice } from '../../components/notice.tsx';
import type { ProviderTest } from './rows.ts';

/** The result of a real call of a provider. */
export const TestResult = ({ test }: { test: ProviderTest }) =>
  test.error ? (
    <Notice kind="error" title={`The test failed: ${test.error.cause.replaceAll('_', ' ')}`} isAlert>
      <p>{test.error.message}</p>
      <p class="soft">{test.error.remedy}</p>
    </Notice>
  ) : (
    <Notice
      kind="success"
      title={`${test.model ?? 'The provider'} answered in ${formatDuration(test.duration_ms)}`}
      isAlert
    >
      {test.text && <p>{test.text}</p>}
      <p class="soft">
        {test.models.length === 0
          ? 'The provider lists no models.'
          : `The provider offers ${formatCount(test.models.length, 'model')}.`}
      </p>
    </Notice>
  );
