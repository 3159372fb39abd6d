// Layout of a snapshot, all little-endian 64-bit words:
//   magic+version | model fingerprint | time | frame | bodies n | joints m | islands k |
//   x[3n] q[4n] v[3n] w[3n] loads[6m] slack[m] islands[7k] freedoms[4f] | per island: contacts c, [9c] | checksum of all words before.
#include <bit>
#include <cstring>

#include "armature/base/hash.h"
#include "armature/model/state.h"

namespace armature {

static_assert(std::endian::native == std::endian::little, "snapshots are written as the bytes of this machine");

namespace {

constexpr char magic[8] = {'A', 'R', 'M', 'S', 'N', 'A', 'P', '3'};

struct Writer {
    std::string bytes;
    template <class T>
    void put(const T& value) {
        static_assert(sizeof(T) % 8 == 0);
        bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
    }
    template <class T>
    void put_all(const std::vector<T>& values) {
        for (const T& v : values) put(v);
    }
};

struct Reader {
    const std::string& bytes;
    std::size_t at = 0;
    template <class T>
    T get() {
        T value;
        std::memcpy(&value, bytes.data() + at, sizeof(T));
        at += sizeof(T);
        return value;
    }
    template <class T>
    void get_all(std::vector<T>& values) {
        for (T& v : values) v = get<T>();
    }
};

std::uint64_t checksum(const std::string& bytes, std::size_t count) {
    Hasher h;
    for (std::size_t i = 0; i + 8 <= count; i += 8) {
        std::uint64_t word;
        std::memcpy(&word, bytes.data() + i, 8);
        h.add(word);
    }
    return h.value();
}

[[noreturn]] void refuse(const std::string& name, std::string message, std::string hint) {
    Diagnostics d;
    d.error({name, 0, 0, 0}, std::move(message), std::move(hint));
    throw InputError(d);
}

}  // namespace

std::string to_snapshot(const Model& model, const State& s) {
    Writer w;
    w.bytes.append(magic, sizeof magic);
    w.put(model.fingerprint);
    w.put(s.time);
    w.put(s.frame);
    w.put(static_cast<std::uint64_t>(s.x.size()));
    w.put(static_cast<std::uint64_t>(s.loads.size()));
    w.put(static_cast<std::uint64_t>(s.islands.size()));
    w.put_all(s.x);
    w.put_all(s.q);
    w.put_all(s.v);
    w.put_all(s.w);
    w.put_all(s.loads);
    w.put_all(s.slack);
    w.put_all(s.islands);
    w.put_all(s.freedoms);
    for (const auto& contacts : s.contacts) {
        w.put(static_cast<std::uint64_t>(contacts.size()));
        w.put_all(contacts);
    }
    w.put(checksum(w.bytes, w.bytes.size()));
    return w.bytes;
}

State from_snapshot(const Model& model, const std::string& bytes, const std::string& name) {
    State s = initial_state(model);
    // All but the contacts, of which there are as many as touch.
    const std::size_t words =
        7 + 13 * s.x.size() + 7 * s.loads.size() + 8 * s.islands.size() + 4 * s.freedoms.size() + 1;
    if (bytes.size() < sizeof magic || std::memcmp(bytes.data(), magic, sizeof magic) != 0)
        refuse(name, "this is not an Armature snapshot", "give a file that was written by --snapshot");
    Reader r{bytes, sizeof magic};
    if (bytes.size() < 16 || r.get<std::uint64_t>() != model.fingerprint)
        refuse(name, "this snapshot belongs to another scene or other settings",
               "restore it with the scene and the options it was made with");
    if (bytes.size() < 8 * words || bytes.size() % 8 != 0) refuse(name, "this snapshot is cut short", "make it again");
    std::uint64_t stored;
    std::memcpy(&stored, bytes.data() + bytes.size() - 8, 8);
    if (stored != checksum(bytes, bytes.size() - 8))
        refuse(name, "this snapshot is damaged: its checksum does not match", "make it again");
    s.time = r.get<double>();
    s.frame = r.get<std::int64_t>();
    r.at += 3 * 8;  // the sizes, implied by the fingerprint
    r.get_all(s.x);
    r.get_all(s.q);
    r.get_all(s.v);
    r.get_all(s.w);
    r.get_all(s.loads);
    r.get_all(s.slack);
    r.get_all(s.islands);
    r.get_all(s.freedoms);
    for (auto& contacts : s.contacts) {
        const auto count = r.at + 16 <= bytes.size() ? r.get<std::uint64_t>() : ~std::uint64_t{0};
        if (count > (bytes.size() - 8 - r.at) / sizeof(ContactMemory))
            refuse(name, "this snapshot is cut short", "make it again");
        contacts.resize(count);
        r.get_all(contacts);
    }
    if (r.at + 8 != bytes.size()) refuse(name, "this snapshot is too long", "make it again");
    return s;
}

}  // namespace armature
