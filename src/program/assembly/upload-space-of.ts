import { resolve } from 'node:path';
import { MEGABYTE } from '../../base/lib/units.ts';
import { UploadSpace } from '../../edge/uploads/upload-space.ts';
import type { Foundation } from './create-foundation.ts';

/** Keeps uploads in a folder of the data directory, within the space that the configuration allows. */
export const uploadSpaceOf = ({ config, holder, logger }: Foundation): UploadSpace =>
  new UploadSpace({
    directory: resolve(config.store.data_dir, 'uploads'),
    maxBytes: () => holder.current.config.limits.upload_disk_mb * MEGABYTE,
    onFailure: (error) => logger.error('upload-not-stored', { error: String(error) }),
  });
