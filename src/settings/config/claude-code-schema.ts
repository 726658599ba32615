import type { Static } from 'typebox';
import { Type } from '../../base/schema/type.ts';
import type { DeepReadonly } from './deep-readonly.ts';
import { choice, nullable, row, section } from './schema-parts.ts';

const SECONDS = { minimum: 1, maximum: 31_536_000 };

const ManagedSettingsSchema = row(
  {
    file: Type.String({
      minLength: 1,
      description:
        'JSON file with the settings, as `managed-settings.json` of Claude Code has them. It is read at the start and at each reload.',
    }),
    accounts: nullable(Type.Array(Type.String({ minLength: 1 }), { minItems: 1 }), {
      description:
        'Ids or names of the organizations that get the settings. Any owner can give an organization the same name, so use ids for what others must not read. `null` means all.',
    }),
    roles: nullable(Type.Array(choice(['owner', 'developer', 'viewer']), { minItems: 1 }), {
      description:
        'Roles of the people who get the settings. A key without a person has none. `null` means everybody.',
    }),
  },
  { description: 'Settings for a group of people. The first row that fits a key counts.' },
);

export const ClaudeCodeSchema = section(
  {
    sign_in: Type.Boolean({
      default: true,
      description:
        'Lets people sign in from Claude Code with their accounts of the dashboard. `false` removes the addresses of the sign-in, of the managed settings and of the telemetry.',
    }),
    key_s: Type.Integer({
      ...SECONDS,
      default: 86_400,
      description: 'Seconds that the key of a sign-in is valid. Claude Code renews it before.',
    }),
    refresh_s: Type.Integer({
      ...SECONDS,
      default: 1_209_600,
      description: 'Seconds in which an unused sign-in can be renewed. The person must then sign in again.',
    }),
    sign_in_s: Type.Integer({
      ...SECONDS,
      default: 7_776_000,
      description:
        'Seconds until a sign-in ends, however often it is renewed. The key and its refresh token end with it.',
    }),
    telemetry: choice(['drop', 'forward'], {
      default: 'drop',
      description:
        'Telemetry of the clients. drop: it is accepted and not kept. forward: it is sent to `telemetry.otlp.endpoint` with the ids of the account and of the key.',
    }),
    managed_settings: Type.Array(ManagedSettingsSchema, {
      default: [],
      maxItems: 100,
      description: 'Settings of Claude Code, by group.',
    }),
  },
  { description: 'Sign-in from Claude Code, its settings and its telemetry.' },
);

export type ManagedSettingsRow = DeepReadonly<Static<typeof ManagedSettingsSchema>>;
