import { Type } from '../../base/schema/type.ts';
import { planFigureSchemas } from '../../settings/config/plan-schema.ts';
import { type Plan, planIds } from '../../settings/plans/plan.ts';
import { rowOfFigures } from '../../settings/plans/plan-figures.ts';
import type { ViewOf } from '../routes/typed-route.ts';

/** A plan with its figures. */
export const plan = Type.Object(
  {
    id: Type.Enum(planIds),
    display_name: Type.String(),
    rank: Type.Integer({ description: 'The position of the plan. A change to a higher rank is an upgrade.' }),
    buyable: Type.Boolean(),
    ...planFigureSchemas,
  },
  { title: 'Plan' },
);

/** Shows a plan. Its figures are named as in the configuration. */
export const planView = ({ id, displayName, rank, buyable, ...figures }: Plan): ViewOf<typeof plan> => ({
  id,
  display_name: displayName,
  rank,
  buyable,
  ...rowOfFigures(figures),
});
