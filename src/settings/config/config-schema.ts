import type { Static } from 'typebox';
import { Type } from '../../base/schema/type.ts';
import { AlertsSchema } from './alerts-schema.ts';
import { BillingSchema } from './billing-schema.ts';
import { CatalogSchema } from './catalog-schema.ts';
import { ClaudeCodeSchema } from './claude-code-schema.ts';
import { DashboardSchema } from './dashboard-schema.ts';
import type { DeepReadonly } from './deep-readonly.ts';
import { LocalServersSchema } from './local-servers-schema.ts';
import { MailSchema } from './mail-schema.ts';
import { namePatterns } from './name-patterns.ts';
import {
  AuthSchema,
  LimitsSchema,
  PricingSchema,
  PurchasesSchema,
  ResponsesSchema,
  RetentionSchema,
  RoutingSchema,
} from './operation-schema.ts';
import { PayloadsSchema } from './payloads-schema.ts';
import { PlansSchema } from './plan-schema.ts';
import { ProviderSchema } from './provider-schema.ts';
import { section } from './schema-parts.ts';
import { AdminSchema, LogSchema, MetricsSchema, ServerSchema, SimulatorSchema } from './server-schema.ts';
import { StoreSchema } from './store-schema.ts';
import { TelemetrySchema } from './telemetry-schema.ts';

export type { ProviderRow } from './provider-schema.ts';

export const ConfigSchema = section(
  {
    brand: Type.String({
      ...namePatterns.brand,
      default: 'svc',
      description: 'Prefix of API keys, custom headers and open-weight model ids.',
    }),
    server: ServerSchema,
    store: StoreSchema,
    admin: AdminSchema,
    providers: Type.Array(ProviderSchema, {
      default: [],
      description: 'Providers in addition to the built-in ones.',
    }),
    catalog: CatalogSchema,
    auth: AuthSchema,
    plans: PlansSchema,
    limits: LimitsSchema,
    routing: RoutingSchema,
    pricing: PricingSchema,
    purchases: PurchasesSchema,
    responses: ResponsesSchema,
    retention: RetentionSchema,
    payloads: PayloadsSchema,
    simulator: SimulatorSchema,
    local_servers: LocalServersSchema,
    log: LogSchema,
    metrics: MetricsSchema,
    telemetry: TelemetrySchema,
    alerts: AlertsSchema,
    billing: BillingSchema,
    dashboard: DashboardSchema,
    claude_code: ClaudeCodeSchema,
    mail: MailSchema,
  },
  { description: 'Configuration of a Tollgate server.' },
);

/** A configuration with all defaults filled in. Its fields have the names of the file. */
export type Config = DeepReadonly<Static<typeof ConfigSchema>>;
