import { jsonReply } from '../../edge/http/reply.ts';
import type { Route } from '../../edge/http/route.ts';
import type { AdminDependencies } from './admin-dependencies.ts';
import { doctorDescriptions as told } from './doctor-descriptions.ts';

/** The routes for the examination of the server. Only the second one calls providers. */
export function doctorRoutes({ examine }: Pick<AdminDependencies, 'examine'>): Route[] {
  const answer =
    (isLive: boolean): Route['handle'] =>
    async () => {
      const { configFile, findings } = await examine(isLive);
      const isFine = findings.every(({ status }) => status !== 'fail');
      return jsonReply(200, { ok: isFine, config_file: configFile, findings });
    };
  return [
    { method: 'GET', path: '/admin/v1/doctor', handle: answer(false), describe: told.examine },
    { method: 'POST', path: '/admin/v1/doctor/live', handle: answer(true), describe: told.examineLive },
  ];
}
