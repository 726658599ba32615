import { type TrafficColumn, trafficColumns } from '../../watch/traffic/traffic-figures.ts';

/** The columns that distinguish groups, for operators and for members of an organization. */
export const operatorColumns = trafficColumns;
export const memberColumns = ['model', 'key', 'status', 'source'] as const satisfies readonly TrafficColumn[];

/** The classes of statuses to filter by. */
export const statusClasses = ['2xx', '3xx', '4xx', '5xx'] as const;
