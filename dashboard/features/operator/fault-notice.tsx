import { Notice } from '../../components/notice.tsx';
import { FaultCalls } from './fault-calls.tsx';
import type { FaultRow } from './rows.ts';

/** A fault on the card of its provider. */
export const FaultNotice = ({ fault }: { fault: FaultRow }) => (
  <Notice kind={fault.severity} title={fault.reason}>
    <p>{fault.remedy}</p>
    <p class="soft">
      <FaultCalls fault={fault} />
      {fault.model && `, model ${fault.model}`}
    </p>
  </Notice>
);
