// The console: the list of worlds, or one world.
import { render } from 'preact';
import { WorldPage } from './pages/world';
import { WorldsPage } from './pages/worlds';
import { route } from './state/route';
import './state/theme';
import './app.css';

function App() {
  const { world } = route.value;
  return world ? <WorldPage key={world} name={world} /> : <WorldsPage />;
}

const root = document.getElementById('app')!;
root.textContent = '';
render(<App />, root);
