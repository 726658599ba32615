import type { Metric } from './metric.ts';
import { single } from './read-metric.ts';

/** The disk space of uploads whose requests are not answered yet. */
export const uploadMetric = (usedBytes: () => number): Metric =>
  single(
    {
      name: 'tollgate_upload_disk_bytes',
      help: 'Disk space that uploads hold until a provider has answered, up to `limits.upload_disk_mb`.',
    },
    usedBytes,
  );
