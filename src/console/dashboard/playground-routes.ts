import { quotedPaths } from '../../api/quote/quoted-paths.ts';
import { dashboardRoute } from './dashboard-route.ts';
import { askModel, quoteRequest } from './playground-calls.ts';
import { playgroundOptions } from './playground-schema.ts';
import { showPlayground } from './show-playground.ts';
import { wholeReply } from './whole-reply.ts';

const PLAYGROUND = '/dashboard/v1/organizations/{account}/playground';

/** Returns the shape of a route that answers as the API does. */
const post = <const Name extends string>(name: Name) =>
  ({ method: 'POST', path: `${PLAYGROUND}/${name}`, access: 'developer', answer: wholeReply }) as const;

/** The routes of the playground. Requests are charged to a key of the organization and obey its limits. */
export const playgroundRoutes = [
  dashboardRoute(
    { method: 'GET', path: PLAYGROUND, access: 'developer', answer: playgroundOptions },
    showPlayground,
  ),
  dashboardRoute(post('messages'), askModel(quotedPaths.messages)),
  dashboardRoute(post('responses'), askModel(quotedPaths.responses)),
  dashboardRoute(post('chat'), askModel(quotedPaths.chat)),
  dashboardRoute(post('gemini'), askModel(quotedPaths.generate, '/v1beta/models/{id*}:generateContent')),
  dashboardRoute(
    post('gemini-stream'),
    askModel(quotedPaths.stream, '/v1beta/models/{id*}:streamGenerateContent'),
  ),
  dashboardRoute(post('quote'), quoteRequest),
];
