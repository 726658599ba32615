/** The paths of the icons, drawn as lines in a square of 24. */
const shapes = {
  overview: 'M4 4h7v7H4zM13 4h7v4h-7zM13 11h7v9h-7zM4 14h7v6H4z',
  key: 'M14.5 9.5m-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0M11 13l-7 7M6.5 17.5l2.5 2.5',
  usage: 'M4 20V10M10 20V4M16 20v-7M21 20H3',
  requests: 'M4 6h16M4 12h16M4 18h10',
  models: 'M12 3l8 4.5v9L12 21l-8-4.5v-9zM12 12l8-4.5M12 12v9M12 12L4 7.5',
  playground: 'M5 5l7 7-7 7M13 19h7',
  batches: 'M12 3l9 5-9 5-9-5zM3 13l9 5 9-5',
  responses: 'M5 4h14v12H9l-4 4z',
  billing: 'M3 6h18v12H3zM3 10h18M7 15h3',
  organization: 'M4 21V5l8-2v18M12 9h8v12M3 21h18M8 8v0M8 12v0M8 16v0M16 13v0M16 17v0',
  person: 'M12 8m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0M4 21c0-4 3.5-7 8-7s8 3 8 7',
  people:
    'M9 8m-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0M2.5 20c0-3.6 2.9-6 6.5-6s6.5 2.4 6.5 6M16 4.9a3.5 3.5 0 0 1 0 6.2M18 14.6c2.1 1 3.5 2.9 3.5 5.4',
  accounts: 'M3 8h18v12H3zM8.5 8V4h7v4M3 13h18M12 12v2',
  budgets: 'M5 4h14M5 20h14M7 4c0 5 5 5 5 8s-5 3-5 8M17 4c0 5-5 5-5 8s5 3 5 8',
  allBudgets: 'M4 17a8 8 0 1 1 16 0M12 17l4-5M4 20h16',
  operations: 'M3 12h4l3-8 4 16 3-8h4',
  traffic: 'M4 20V4M4 20h16M7 15l4-5 3 3 5-7',
  allRequests: 'M8 6h12M8 12h12M8 18h12M4 6v0M4 12v0M4 18v0',
  queue: 'M12 12m-9 0a9 9 0 1 0 18 0a9 9 0 1 0-18 0M12 7v5l3 2',
  status: 'M12 3l8 3v6c0 4.5-3.3 7.7-8 9-4.7-1.3-8-4.5-8-9V6zM8.5 12l2.5 2.5 4.5-5',
  providers: 'M9 3v5M15 3v5M6 8h12v3a6 6 0 0 1-12 0zM12 17v4',
  allModels: 'M4 4h7l9 9-7 7-9-9zM8 8v0',
  catalog: 'M12 6c-2-1.5-4.5-2-8-2v14c3.5 0 6 .5 8 2 2-1.5 4.5-2 8-2V4c-3.5 0-6 .5-8 2zM12 6v14',
  ledger: 'M6 3h12v18H6zM6 16h12M10 7h4M10 11h4',
  nodes: 'M4 4h16v6H4zM4 14h16v6H4zM8 7v0M8 17v0',
  audit: 'M9 4h6v3H9zM9 5H5v16h14V5h-4M8.5 14l2.5 2.5 4.5-5',
  theme:
    'M12 12m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0M12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M5 19l2-2M17 7l2-2',
  menu: 'M4 6h16M4 12h16M4 18h16',
  close: 'M6 6l12 12M18 6L6 18',
  down: 'M6 9l6 6 6-6',
  up: 'M6 15l6-6 6 6',
  left: 'M15 6l-6 6 6 6',
  right: 'M9 6l6 6-6 6',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  copy: 'M9 9h11v11H9zM15 9V4H4v11h5',
  search: 'M10.5 10.5m-6 0a6 6 0 1 0 12 0a6 6 0 1 0-12 0M15 15l6 6',
  plus: 'M12 5v14M5 12h14',
  warning: 'M12 4l9 16H3zM12 10v4M12 17v0',
  info: 'M12 12m-9 0a9 9 0 1 0 18 0a9 9 0 1 0-18 0M12 11v5M12 8v0',
  refresh: 'M20 11a8 8 0 1 0-2 6M20 5v6h-6',
  download: 'M12 4v11M7 11l5 5 5-5M4 20h16',
  more: 'M5 12v0M12 12v0M19 12v0',
  filter: 'M4 5h16l-6 8v6l-4-2v-4z',
  external: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
  trash: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13',
} as const;

export type IconName = keyof typeof shapes;

/** An icon. Without a label it is decoration, and the text next to it says the same. */
export const Icon = ({ name, label }: { name: IconName; label?: string }) => (
  <>
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={shapes[name]} />
    </svg>
    {label && <span class="hidden">{label}</span>}
  </>
);
