import { person } from '../../app/session.ts';
import { Overview } from './overview.tsx';
import { Welcome } from './welcome.tsx';

/** The overview of a signed-in person. Signed-out visitors learn what this server is. */
export const StartPage = () => (person.value ? <Overview /> : <Welcome />);
