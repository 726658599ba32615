import { Type } from '../../base/schema/type.ts';
import { namePatterns } from './name-patterns.ts';
import { choice, nullable, section } from './schema-parts.ts';

export const StoreSchema = section(
  {
    data_dir: Type.String({
      minLength: 1,
      default: './data',
      description: 'Directory of the embedded store.',
    }),
    min_free_mb: Type.Integer({
      minimum: 0,
      maximum: 1_048_576,
      default: 512,
      description:
        'Minimum free disk space for the data directory, in MB. Below it, new responses and batches are not stored. Requests are still served.',
    }),
    encrypt_content: Type.Boolean({
      default: false,
      description:
        'Encrypt stored responses, conversations, responses in the background, recorded answers and recorded content with the master key. Content that is stored already stays as it is.',
    }),
    max_database_mb: nullable(Type.Integer({ minimum: 1, maximum: 1_073_741_824 }), {
      description:
        'Largest size of the Postgres database, in MB. `min_free_mb` is measured against it. `null` means that the size is unknown, and only the quotas of plans bound stored data.',
    }),
    database_url: nullable(Type.String(namePatterns.postgresUrl), {
      description:
        'URL of a Postgres database that replaces the embedded store. Several hosts are separated by commas. The gateway reads these parameters of libpq: `host`, `port`, `user`, `password`, `dbname`, `sslmode`, `sslrootcert`, `sslcert`, `sslkey`, `sslpassword`, `connect_timeout`, `application_name`, `options` and `target_session_attrs`. Other parameters of libpq cause a warning.',
    }),
    listen_url: nullable(Type.String(namePatterns.postgresUrl), {
      description:
        'URL of the Postgres server itself, for notices, if `database_url` leads to PgBouncer. `null` means `database_url`.',
    }),
    connections: Type.Integer({
      minimum: 1,
      maximum: 1_000,
      default: 6,
      description: 'Maximum connections of each process to Postgres, apart from the one for notices.',
    }),
    prepare: Type.Boolean({
      default: true,
      description: 'Keep statements prepared. PgBouncer before version 1.21 needs false.',
    }),
    admit_timeout_ms: Type.Integer({
      minimum: 100,
      maximum: 4_000,
      default: 2_000,
      description:
        'Longest time that a new request waits for Postgres, in milliseconds. It is refused with 503 afterwards.',
    }),
    spool: choice(['file', 'refuse'], {
      default: 'file',
      description:
        'Settlements while Postgres is unavailable. file: they are kept in the data directory. refuse: the answer ends with an error.',
    }),
  },
  { description: 'Storage of accounts, credits, responses and batches.' },
);
