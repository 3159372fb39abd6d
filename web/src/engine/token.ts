// The token that the command prints stands in the fragment, which browsers never send to a server. It moves into the
// tab's storage so that a reload works after the fragment is gone from the address bar, where others could read it.
const KEY = 'armature.token';

export function takeToken(location: Location, history: History, storage: Storage): string {
  const found = /[#&]token=([0-9a-fA-F]+)/.exec(location.hash);
  if (found) {
    storage.setItem(KEY, found[1]);
    history.replaceState(null, '', location.pathname + location.search);
    return found[1];
  }
  return storage.getItem(KEY) ?? '';
}
