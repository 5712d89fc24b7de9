pragma circom 2.0.0;

// A public product of two private numbers of eight bits, and a public offset that the output adds.
template Bits(n) {
    signal input in;
    signal output out[n];
    var sum = 0;
    for (var i = 0; i < n; i++) {
        out[i] <-- (in >> i) & 1;
        out[i] * (out[i] - 1) === 0;
        sum += out[i] * (1 << i);
    }
    sum === in;
}

template Product() {
    signal input offset;
    signal input unused;
    signal input a;
    signal input b;
    signal output product;
    signal output moved;
    component a_bits = Bits(8);
    component b_bits = Bits(8);
    a_bits.in <== a;
    b_bits.in <== b;
    product <== a * b;
    moved <== product + 3 * offset;
}

component main {public [offset, unused]} = Product();
